import type { Browser } from '../../faults/page-client.js';

/** A form of a page, as a person who does not know the product would fill it in. */
interface FilledForm {
  action: string;
  isRead: boolean;
  fields: [name: string, value: string][];
}

/** The same numbers each time (mulberry32). */
export function randomFrom(seed: number): <T>(from: readonly T[]) => T {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return (from) => from[Math.floor(next() * from.length)] as (typeof from)[number];
}

const decoded = (text = ''): string => text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(` ${name}(?:="([^"]*)")?`).exec(tag)?.slice(1).map(decoded)[0];

/** What would end the walk: signing out, losing a role, and a second factor that nobody has. */
const isLeftAlone = (part: string): boolean =>
  /action="\/sign-out"|value="(updateOrganization|updateMember|suspendMember|removeMember)"/.test(part);

function formsOf(html: string, pick: ReturnType<typeof randomFrom>): FilledForm[] {
  const parts = html
    .split('<form')
    .slice(1)
    .map((part) => part.split('</form>')[0] as string);
  return parts.filter((part) => !isLeftAlone(part)).map((part) => filled(part, pick));
}

function filled(part: string, pick: ReturnType<typeof randomFrom>): FilledForm {
  const fields: [string, string][] = [];
  for (const [tag] of part.matchAll(/<input[^>]*>/g)) {
    const [name, type, value = ''] = ['name', 'type', 'value'].map((each) => attribute(tag, each));
    if (!name) continue;
    const isChosen = type === 'checkbox' ? pick([true, false, false]) : type === 'radio' ? / checked/.test(tag) : true;
    if (isChosen) fields.push([name, value !== '' ? value : typedInto(type, pick)]);
  }
  for (const [, tag = '', inner = ''] of part.matchAll(/<select([^>]*)>(.*?)<\/select>/g)) {
    const offered = [...inner.matchAll(/<option[^>]*value="([^"]*)"/g)].map(([, value]) => decoded(value));
    fields.push([attribute(tag, 'name') ?? '', offered.length > 0 ? pick(offered) : '']);
  }
  return { action: attribute(part, 'action') ?? '', isRead: part.includes('method="get"'), fields };
}

function typedInto(type: string | undefined, pick: ReturnType<typeof randomFrom>): string {
  if (type === 'number') return pick(['1', '2', '']);
  if (type === 'date') return pick(['2026-12-01', '']);
  if (type === 'datetime-local') return pick(['2026-12-01T10:00', '']);
  if (type === 'email') return pick(['someone@tests.example', '']);
  return type === 'hidden' ? '' : pick(['Room 7', 'https://example.com/hook', '']);
}

/** A person who follows links, sends forms and sends some of them again, only on pages of the console. */
export class Clicker {
  private html = '';
  private path: string;

  constructor(
    private readonly browser: Browser,
    private readonly home: string,
    private readonly pick: ReturnType<typeof randomFrom>,
  ) {
    this.path = home;
  }

  /** @returns the actions, with the request ids of the repeated ones. */
  async click(): Promise<{ what: string; status: number; again: string[] }> {
    const forms = formsOf(this.html, this.pick);
    const links = [...this.html.matchAll(/<a [^>]*href="([^"]+)"/g)]
      .map(([, href]) => decoded(href))
      .filter((href) => href.startsWith(this.home) && !href.endsWith('/export'));
    const way = this.pick(forms.length > 0 ? ['link', 'form', 'form', 'reload'] : ['link', 'reload']);
    if (way === 'form') return await this.send(this.pick(forms));
    return await this.look(way === 'link' && links.length > 0 ? this.pick(links) : this.path);
  }

  private async look(path: string) {
    const page = await this.browser.get(path);
    this.path = page.path.startsWith(this.home) ? page.path : this.home;
    this.html = page.path.startsWith(this.home) ? page.html : '';
    return { what: `GET ${path}`, status: page.status, again: [] };
  }

  private async send({ action, isRead, fields }: FilledForm) {
    const body = new URLSearchParams(fields);
    if (isRead) return await this.look(`${action}?${body}`);
    const post = () => this.browser.once(action, { method: 'POST', body });
    const first = await post();
    const again = this.pick([true, false]) ? await Promise.all([post(), post()]) : [];
    const ids = again.map(({ headers }) => headers.get('x-request-id') as string);
    const worst = Math.max(...[first, ...again].map(({ status }) => status));
    await this.look(first.status === 303 ? (first.headers.get('location') as string) : this.path);
    return { what: `POST ${action} ${body}`, status: worst, again: ids };
  }
}
