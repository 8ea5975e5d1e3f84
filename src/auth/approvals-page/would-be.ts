/** The verbs of sentences about events that are not in the passive. */
const active: Readonly<Record<string, string>> = {
  accepted: 'accept',
  approved: 'approve',
  changed: 'change',
  checked: 'check',
  completed: 'complete',
  discovered: 'discover',
  ended: 'end',
  failed: 'fail',
  fell: 'fall',
  had: 'have',
  has: 'have',
  is: 'be',
  overlaps: 'overlap',
  succeeded: 'succeed',
  took: 'take',
  translated: 'translate',
  went: 'go',
  works: 'work',
  wrote: 'write',
};

/** The first verb; after an article it is a participle, as in “A completed task was reopened.” */
const verb = new RegExp(
  `\\b(?:(?<passive>was|were|has been|have been)( not)?|could not|(?<!\\b[Aa]n? )(?<active>${Object.keys(active).join('|')}))\\b`,
);

/** What an event says has happened, before it happens: “A task was created.” → “A task would be created.” */
export const wouldBe = (sentence: string): string =>
  sentence
    .replace(verb, (found, passive: string | undefined, not: string | undefined, done: string | undefined) => {
      if (passive) return `would${not ?? ''} be`;
      return done ? `would ${active[done]}` : found.replace('could', 'would');
    })
    .replace('no longer would', 'would no longer')
    .replace(' or has a new', ' or have a new')
    .replace('no-show were released', 'no-show would be released')
    .replace('and no longer opens', 'and no longer open')
    .replace('and its credentials were', 'and its credentials would be');
