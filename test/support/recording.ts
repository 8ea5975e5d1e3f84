import { readFileSync } from 'node:fs';

/** A call that a page shows: its input, and as much of its result as the page contains. */
interface Recorded {
  name: string;
  given: unknown;
  meta?: unknown;
  result?: unknown;
}

/** A call as it was made. */
export interface Played {
  name: string;
  given: object;
  meta?: object;
  result: unknown;
}

const call = /^(?<name>\w+) +(?<given>\{.*?\})(?: _meta (?<meta>\{.*\}))?$/;

/** The calls under a heading of a page, each as `name {arguments} _meta {…}` and `→ result`, shortened with `…`. */
export function recordedIn(file: string, heading: string): Recorded[] {
  const [, section = ''] = readFileSync(file, 'utf8').split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const blocks = [...own.matchAll(/^```\n(.*?)^```/gms)].map(([, block]) => block as string);
  const entries = blocks.flatMap((block) => block.split(/\n(?=\w)/));
  return entries.map((entry) => {
    const [asked = '', answered] = entry
      .replaceAll(/\s*\n\s*/g, ' ')
      .trim()
      .split(' → ');
    const { name, given, meta } = call.exec(asked)?.groups ?? {};
    if (!name || !given) throw new Error(`${file} has no call in ${entry}`);
    return {
      name,
      given: parsed(given),
      ...(meta && { meta: parsed(meta) }),
      ...(answered && { result: parsed(answered) }),
    };
  });
}

/** How the calls differ from the page; empty if they match. */
export function otherThanShown(shown: readonly Recorded[], played: readonly Played[]): string[] {
  const comparison = new Comparison();
  const names = [shown, played].map((calls) => calls.map(({ name }) => name).join(', '));
  if (names[0] !== names[1]) return [`The page calls ${names[0]}; it was ${names[1]}`];
  return shown.flatMap(({ name, ...one }, place) => comparison.differences(one, played[place], name));
}

/** What the JSON blocks of a page show. */
export const jsonIn = (page: string): unknown[] =>
  [...page.matchAll(/^ *```json\n(.*?)^ *```/gms)].map(([, block]) => parsed(block as string));

/** JSON in which `…` represents further fields or items. */
export function parsed(text: string): unknown {
  const shortened = text.replaceAll(/("(?:[^"\\]|\\.)*")|,?\s*…(?=\s*[\]}])/g, (_, quoted?: string) => quoted ?? '');
  try {
    return JSON.parse(shortened);
  } catch (cause) {
    throw new Error(`It is no JSON: ${shortened}`, { cause });
  }
}

/** @returns the places at which a page shows something else. */
export const differences = (shown: unknown, actual: unknown): string[] =>
  new Comparison().differences(shown, actual, '');

/** Ids and times differ each time, but the same shortened id is the same record. */
class Comparison {
  private readonly known = new Map<string, string>();

  /** @returns the places at which they differ; a page shows a part of a record, and the first items of a list. */
  differences(shown: unknown, actual: unknown, at: string): string[] {
    if (typeof shown !== 'object' || shown === null)
      return this.isSame(shown, actual) ? [] : [`${at}: ${String(shown)} is ${JSON.stringify(actual)}`];
    if (typeof actual !== 'object' || actual === null) return [`${at} is ${String(actual)}`];
    const values = new Map<string, unknown>(Object.entries(actual));
    return Object.entries(shown).flatMap(([name, value]) => this.differences(value, values.get(name), `${at}.${name}`));
  }

  private isSame(shown: unknown, actual: unknown): boolean {
    if (typeof shown !== 'string' || typeof actual !== 'string') return Object.is(shown, actual);
    if (/^[a-z]+_…\w+$/.test(shown)) {
      const id = this.known.get(shown) ?? actual;
      this.known.set(shown, id);
      return id === actual && actual.startsWith(shown.slice(0, shown.indexOf('…')));
    }
    const pattern = steady(shown)
      .split('…')
      .map((part) => part.replaceAll(/[^\w\s]/g, String.raw`\$&`))
      .join('.*');
    return new RegExp(`^${pattern}$`, 's').test(steady(actual));
  }
}

const steady = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\d{4}-\d\d-\d\d/g, 'DATE')
    .replaceAll(/http:\/\/(localhost|127\.0\.0\.1):\d+/g, 'https://host');
