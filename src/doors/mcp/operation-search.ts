import { fieldsOf, type Operation } from '#operations';
import { meaningsOf } from './synonyms.js';

/** How much a word counts, by where it is. */
const weights = { name: 3, title: 2, askedAs: 2, description: 1, fields: 0.3 };

/** The usual constants of BM25: how soon repetition stops to count, and how much a long text loses. */
const [saturation, lengthShare] = [1.2, 0.5];

/** Operations by the words of people: BM25 over the stems of everything that describes them. */
export class OperationSearch {
  private readonly documents: { operation: Operation; counts: ReadonlyMap<string, number>; length: number }[];
  private readonly meanLength: number;

  constructor(operations: readonly Operation[]) {
    this.documents = operations.map((operation) => {
      const counts = countsOf(operation);
      return { operation, counts, length: [...counts.values()].reduce((sum, count) => sum + count, 0) };
    });
    this.meanLength = this.documents.reduce((sum, { length }) => sum + length, 0) / this.documents.length;
  }

  /** The operations that contain any of the words, best first; equals stay in their order. */
  find(words: string): Operation[] {
    const distinct = new Map(meaningsOf(words).map((meanings) => [meanings.join(), meanings]));
    const asked = [...distinct.values()].map((meanings) => ({ meanings, rarity: this.rarity(meanings) }));
    const scored = this.documents.map(({ operation, counts, length }) => {
      const damping = saturation * (1 - lengthShare + (lengthShare * length) / this.meanLength);
      const score = asked.reduce((sum, { meanings, rarity }) => {
        const count = Math.max(...meanings.map((stem) => counts.get(stem) ?? 0));
        return sum + (rarity * count * (saturation + 1)) / (count + damping);
      }, 0);
      return { operation, score };
    });
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ operation }) => operation);
  }

  /** A word of many meanings is in many operations, so it says little. */
  private rarity(meanings: readonly string[]): number {
    const containing = this.documents.filter(({ counts }) => meanings.some((stem) => counts.has(stem))).length;
    return Math.log(1 + (this.documents.length - containing + 0.5) / (containing + 0.5));
  }
}

function countsOf({ name, title, askedAs = '', description, input }: Operation): Map<string, number> {
  const fields = fieldsOf(input)
    .map((field) => field.name)
    .join(' ');
  const counts = new Map<string, number>();
  for (const [part, text] of Object.entries({ name, title, askedAs, description, fields })) {
    for (const [stem] of meaningsOf(text))
      counts.set(stem, (counts.get(stem) ?? 0) + weights[part as keyof typeof weights]);
  }
  return counts;
}
