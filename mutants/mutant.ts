/** One change of one source: the text is there once, or the change has gone stale. */
export interface Edit {
  file: string;
  find: string;
  replace: string;
}

/** What must be noticed: a test of the suite fails once the change is made. */
export interface Mutant {
  name: string;
  edits: readonly Edit[];
  suite: Suite;
  /** Where one run stands for many changes: what the failures must name, each of it. */
  named?: readonly string[];
}

/** The smallest suite that should notice. */
export interface Suite {
  file: string;
  /** Only tests whose full name matches, where the suite is large. */
  only?: string;
}

/** @param name what follows `test/` and comes before `.test.ts`. */
export const suite = (name: string, only?: string): Suite => ({
  file: `test/${name}.test.ts`,
  ...(only !== undefined && { only }),
});

/** What is taken out, or what is put into its place. */
export type Change = string | readonly [find: string, replace: string];

/** Mutants of one file that one suite should notice. */
export const mutantsOf = (file: string, noticed: string | Suite, changes: Record<string, Change>): Mutant[] =>
  Object.entries(changes).map(([name, change]) => {
    const [find, replace] = typeof change === 'string' ? [change, ''] : change;
    return {
      name,
      edits: [{ file, find, replace }],
      suite: typeof noticed === 'string' ? suite(noticed) : noticed,
    };
  });
