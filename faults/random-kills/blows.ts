import type { Random } from './random.js';

/** How often each kind falls, in relation to the others. Half of all are a `kill -9`. */
export const kinds = {
  'node killed': 14,
  'worker killed': 10,
  'entry killed': 7,
  'PostgreSQL killed': 8,
  'process of PostgreSQL killed': 6,
  'Redis killed': 5,
  'node restarted': 4,
  'node paused': 7,
  'worker paused': 5,
  'entry paused': 3,
  'PostgreSQL paused': 5,
  'Redis paused': 6,
  'connections to PostgreSQL ended': 8,
  'connections to Redis ended': 6,
  'connections of clients cut': 6,
} as const;

export type Kind = keyof typeof kinds;

const longestPauseMs = 1_500;
const mostAnswers = 60;

export interface Blow {
  kind: Kind;
  /** From 0 to below 1: which of several it hits. */
  which: number;
  /** Of a pause. */
  pauseMs: number;
  /** How many answers clients get before the next one, so that each falls into work. */
  answers: number;
}

/** The blows that follow from a seed, without an end. */
export function* blowsFrom(random: Random): Generator<Blow> {
  for (;;) {
    yield {
      kind: kindOf(random()),
      which: random(),
      pauseMs: random() * longestPauseMs,
      answers: Math.floor(random() * mostAnswers),
    };
  }
}

const total = Object.values(kinds).reduce((sum, weight) => sum + weight, 0);

function kindOf(share: number): Kind {
  let left = share * total;
  const found = Object.entries(kinds).find(([, weight]) => (left -= weight) < 0);
  return found?.[0] as Kind;
}
