import { labelOf } from './shown-values.js';

/** A field's name in a text. */
const fieldName = /\b[a-z]{2,}[A-Z]\w*/g;

/**
 * What an operation does, for people: without the parts that tell programs which other operations or values there are,
 * and with fields by their labels.
 */
export function forPeople(description: string, isOperation: (name: string) => boolean): string {
  const parts = description.split(/(?<=[.;])\s+/).filter((part) => {
    const words = part.match(/\w+/g) ?? [];
    return !words.some((word) => word === 'null' || isOperation(word));
  });
  return parts
    .join(' ')
    .replace(/;$/, '.')
    .replaceAll(fieldName, (name) => `“${labelOf(name)}”`);
}
