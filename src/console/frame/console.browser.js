// What a page gains where scripts run: it follows what happens, and its ids can be copied. Everything works without it.

const main = () => document.querySelector('main');

/** Nothing is replaced under somebody's hands. */
const isInUse = () =>
  document.hidden ||
  main().contains(document.activeElement?.closest('form, details')) ||
  main().querySelector('form :user-valid, .asked[open], .folded[open]');

async function refresh() {
  if (isInUse()) return;
  const response = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!response.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const shown = page.querySelector('main');
  const links = document.querySelectorAll('.side a');
  for (const [at, { childNodes }] of page.querySelectorAll('.side a').entries())
    links[at].replaceChildren(...childNodes);
  const open = new Set([...main().querySelectorAll('details[open] > summary')].map(({ textContent }) => textContent));
  for (const summary of shown.querySelectorAll('details > summary'))
    summary.parentElement.open ||= open.has(summary.textContent);
  main().replaceWith(shown);
}

if (main().dataset.live) {
  new EventSource(main().dataset.live).addEventListener('message', () => void refresh());
  setInterval(() => main().querySelector('.moving') && void refresh(), 3_000);
}

async function copy(id) {
  await navigator.clipboard?.writeText(id.textContent);
  id.classList.add('copied');
  setTimeout(() => id.classList.remove('copied'), 1_500);
}

document.addEventListener('click', ({ target }) => {
  const id = target.closest('.copy');
  if (id) void copy(id);
});
