/** One change of one source: the text occurs once, or the change is stale. */
export interface Edit {
  file: string;
  find: string;
  replace: string;
}

/** A change that must be detected: a test of the suite fails after it. */
export interface Mutant {
  name: string;
  edits: readonly Edit[];
  suite: Suite;
  /** For one run that covers many changes: the names that the failures must contain. */
  named?: readonly string[];
}

/** The smallest suite that should detect it. */
export interface Suite {
  file: string;
  /** Only tests whose full name matches, if the suite is large. */
  only?: string;
}

/** @param name the part between `test/` and `.test.ts`. */
export const suite = (name: string, only?: string): Suite => ({
  file: `test/${name}.test.ts`,
  ...(only !== undefined && { only }),
});

/** The text to remove, or to replace. */
export type Change = string | readonly [find: string, replace: string];

/** Mutants of one file that one suite should detect. */
export const mutantsOf = (file: string, noticed: string | Suite, changes: Record<string, Change>): Mutant[] =>
  Object.entries(changes).map(([name, change]) => {
    const [find, replace] = typeof change === 'string' ? [change, ''] : change;
    return {
      name,
      edits: [{ file, find, replace }],
      suite: typeof noticed === 'string' ? suite(noticed) : noticed,
    };
  });
