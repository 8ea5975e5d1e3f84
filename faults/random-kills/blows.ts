import type { Random } from './random.js';

/** How often each kind occurs, of a hundred. Almost half are a `kill -9`. */
export const kinds = {
  'node killed': 10,
  'worker killed': 8,
  'entry killed': 6,
  'PostgreSQL killed': 8,
  'process of PostgreSQL killed': 6,
  'Redis killed': 6,
  'node restarted': 3,
  'node paused': 8,
  'worker paused': 6,
  'entry paused': 4,
  'PostgreSQL paused': 6,
  'Redis paused': 6,
  'connections to PostgreSQL ended': 9,
  'connections to Redis ended': 8,
  'connections of clients cut': 6,
} as const;

export type Kind = keyof typeof kinds;

const longestPauseMs = 1_500;
const fewestAnswers = 5;
const mostAnswers = 25;

export interface Blow {
  kind: Kind;
  /** From 0 to below 1: the target, if there are several. */
  which: number;
  /** Of a pause. */
  pauseMs: number;
  /** The number of responses before the next one, so that each happens during work. */
  answers: number;
}

/** The endless sequence of faults for a seed. */
export function* blowsFrom(random: Random): Generator<Blow> {
  for (;;) {
    yield {
      kind: kindOf(random()),
      which: random(),
      pauseMs: random() * longestPauseMs,
      answers: Math.floor(fewestAnswers + random() * (mostAnswers - fewestAnswers)),
    };
  }
}

function kindOf(share: number): Kind {
  let left = share * 100;
  const found = Object.entries(kinds).find(([, weight]) => (left -= weight) < 0);
  return found?.[0] as Kind;
}
