import { factPath } from './definition.dto.js';

/** The facts of a run, by name: event, reservation, schedule, workflow, run, steps. */
export type Facts = Readonly<Record<string, unknown>>;

const braces = /\{\{([^{}]*)\}\}/g;
const alone = /^\{\{([^{}]*)\}\}$/;

/** The fact for a name such as `event.data.status`; undefined if it does not exist. */
export function factAt(facts: Facts, path: string): unknown {
  let here: unknown = facts;
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return here;
}

/** A reference to a fact within a value. */
export interface Reference {
  at: (string | number)[];
  path: string;
  /** Whether the text is only the name, in which case the fact keeps its type. */
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

/** Whether a text can contain a reference. */
export const isFactPath = (path: string): boolean => factPath.test(path);

/** Whether a fact can be inserted into text. */
export const isPlain = (fact: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof fact);

/**
 * A value with its names replaced by facts. A text that is only a name becomes the fact itself, and is left out if the
 * fact does not exist; within other words a fact becomes text. Inserted values are not searched again.
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
