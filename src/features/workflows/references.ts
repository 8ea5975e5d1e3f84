import { factPath } from '../../workflows/definition.dto.js';

/** What a run knows, by name: event, reservation, schedule, workflow, run, steps. */
export type Facts = Readonly<Record<string, unknown>>;

const braces = /\{\{([^{}]*)\}\}/g;
const alone = /^\{\{([^{}]*)\}\}$/;

/** The fact of a name such as `event.data.status`; undefined where there is none. */
export function factAt(facts: Facts, path: string): unknown {
  let here: unknown = facts;
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return here;
}

/** Where in a value a fact is named. */
export interface Reference {
  at: (string | number)[];
  path: string;
  /** Whether the text is the name alone: the fact then keeps its type. */
  isAlone: boolean;
}

/** Every name in braces within a value, however deep. */
export function referencesIn(value: unknown, at: Reference['at'] = []): Reference[] {
  if (typeof value === 'string') {
    const isAlone = alone.test(value.trim());
    return Array.from(value.matchAll(braces), ([, path = '']) => ({ at, path: path.trim(), isAlone }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    referencesIn(inner, [...at, Array.isArray(value) ? Number(name) : name]),
  );
}

/** Whether a text can name a fact. */
export const isFactPath = (path: string): boolean => factPath.test(path);

/** Whether a fact can stand among other words. */
export const isPlain = (fact: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof fact);

/**
 * A value with the facts in place of their names. A text that is a name alone becomes the fact as it is, and is left
 * out where there is none; among other words a fact becomes text. What is put in is not looked through again.
 */
export function filledIn(value: unknown, facts: Facts): unknown {
  if (typeof value === 'string') {
    const name = alone.exec(value.trim())?.[1];
    if (name !== undefined) return factAt(facts, name.trim());
    return value.replaceAll(braces, (_, path: string) => {
      const fact = factAt(facts, path.trim());
      return isPlain(fact) ? String(fact) : '';
    });
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, facts)).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, filledIn(inner, facts)] as const)
      .filter(([, inner]) => inner !== undefined),
  );
}
