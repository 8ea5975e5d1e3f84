/** One change of one source: the text is there once, or the change has gone stale. */
export interface Edit {
  file: string;
  find: string;
  replace: string;
}

/** What must be noticed: some tests that fail once the change is made. */
export interface Mutant {
  name: string;
  edits: readonly Edit[];
  /** The smallest suites that should notice. */
  tests: readonly string[];
  /** Only tests whose full name matches, where a suite is large. */
  only?: string;
}

/** A suite, as what follows `test/` and comes before `.test.ts`. */
export const suite = (name: string): string => `test/${name}.test.ts`;

/** Mutants of one file that one suite should notice, each by the text that is replaced. */
export const mutantsOf =
  (file: string, test: string, only?: string) =>
  (changes: Record<string, readonly [find: string, replace: string]>): Mutant[] =>
    Object.entries(changes).map(([name, [find, replace]]) => ({
      name,
      edits: [{ file, find, replace }],
      tests: [suite(test)],
      ...(only !== undefined && { only }),
    }));
