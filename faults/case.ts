/** The result of one case: the number of attempts, and a count for each thing that must not happen. */
export interface Outcome {
  tried: number;
  /** Answered with success. */
  acknowledged: number;
  /** In the database afterwards. */
  stored: number;
  /** Stored twice although attempted once. */
  doubled: number;
  /** Acknowledged, but not stored or never delivered. */
  lost: number;
  /** What else the case counts; counts that must be zero are in `forbidden`. */
  more: Record<string, number | string>;
  /** Names in `more` that must be zero. */
  forbidden: readonly string[];
}

export interface Case {
  name: string;
  /** Skipped, with a message that names what is missing. */
  missing?: () => string | undefined;
  run: () => Promise<Outcome>;
}

/** @returns what is wrong with it, in words; nothing if it passed. */
export function faultsOf({ tried, acknowledged, stored, doubled, lost, more, forbidden }: Outcome): string[] {
  const verdicts: [string, boolean][] = [
    [`${tried - acknowledged} were never acknowledged`, acknowledged !== tried],
    [`${stored} are stored, ${acknowledged} were acknowledged`, stored !== acknowledged],
    [`${doubled} were done twice`, doubled !== 0],
    [`${lost} were lost`, lost !== 0],
    ...forbidden.map((name): [string, boolean] => [`${name}: ${more[name]}`, more[name] !== 0]),
  ];
  return verdicts.filter(([, isSo]) => isSo).map(([fault]) => fault);
}
