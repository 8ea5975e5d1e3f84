// "Try it": a form below each operation that sends its request from this page. What is typed in stays in this tab.
const kept = (name) => sessionStorage.getItem(`try ${name}`) ?? '';
const keep = (name, value) => sessionStorage.setItem(`try ${name}`, value);

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const labelled = (text, input) => element('label', {}, text, input);
const headers = () => ({ Authorization: `Bearer ${kept('key')}` });

/** The names of the organization's own records, for ids that come from a list. */
async function suggest(input, list) {
  if (!kept('key') || input.list) return;
  const options = element('datalist', { id: `ids-${crypto.randomUUID()}` });
  input.after(options);
  input.setAttribute('list', options.id);
  const response = await fetch(`${list}?limit=20`, { headers: headers() });
  if (!response.ok) return;
  for (const { id, name, email } of (await response.json()).data)
    options.append(element('option', { value: id, label: name ?? email ?? id }));
}

function fieldOf({ dataset, cells: [name] }) {
  const field = name.querySelector('code').textContent;
  const input = element('input', {
    type: 'text',
    value: dataset.in === 'path' ? kept(field) : '',
    autocomplete: 'off',
  });
  if (dataset.list) input.addEventListener('focus', () => suggest(input, dataset.list));
  return { field, place: dataset.in, input };
}

function formOf(section) {
  const [method, path] = ['.route b', '.route code'].map((part) => section.querySelector(part).textContent);
  const rows = [...section.querySelectorAll('tr[data-in]')];
  const fields = rows.filter(({ dataset }) => dataset.in !== 'body').map(fieldOf);
  const key = element('input', { type: 'password', value: kept('key'), autocomplete: 'off' });
  const example = section.querySelector('pre');
  const body = example && element('textarea', { value: example.textContent, spellcheck: false });
  const output = element('pre', { hidden: true });
  output.setAttribute('role', 'status');
  const form = element(
    'form',
    { className: 'try' },
    labelled('API key', key),
    ...fields.map(({ field, input }) => labelled(field, input)),
    ...(body ? [labelled('Body', body)] : []),
    element('button', { className: 'primary' }, `Send ${method}`),
    output,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    keep('key', key.value.trim());
    for (const { field, place, input } of fields) if (place === 'path') keep(field, input.value);
    output.hidden = false;
    output.textContent = 'Sending …';
    output.textContent = await send(method, path, fields, body?.value).catch(({ message }) => message);
  });
  return form;
}

async function send(method, path, fields, body) {
  const url = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(valueOf(fields, name))),
    location,
  );
  for (const { field, place, input } of fields)
    if (place === 'query' && input.value) url.searchParams.set(field, input.value);
  const response = await fetch(url, {
    method,
    headers: {
      ...headers(),
      ...(method !== 'GET' && { 'Idempotency-Key': crypto.randomUUID() }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.includes('application/json');
  return `${response.status}\n${isJson ? JSON.stringify(JSON.parse(text), null, 2) : text}`;
}

const valueOf = (fields, name) => fields.find(({ field }) => field === name).input.value;

for (const section of document.querySelectorAll('.operation')) {
  const button = element('button', { className: 'try', type: 'button' }, 'Try it');
  button.addEventListener('click', () => {
    const form = formOf(section);
    button.replaceWith(form);
    form.querySelector('input').focus();
  });
  section.append(button);
}
