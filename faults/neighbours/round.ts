import { setTimeout as wait } from 'node:timers/promises';
import { describeCores } from './cores.js';
import { type Figures, figuresOf, type Seen } from './figures.js';
import { onStage, type Round } from './stage.js';
import type { Vector, Wait } from './vector.js';
import type { Sample } from './victim.js';

/** The quiet period is as long as the attack, and no longer than this. */
const longestQuietMs = 20_000;
const warmUpMs = 2_000;
/** The time after which an attack is at its height. */
const headStartMs = 1_000;
const betweenWaitsMs = 250;
/** A longer wait than this counts as this. */
const longestWaitMs = 90_000;

interface Played {
  figures: Figures[];
  /** Who used the machine's cores during the attack. */
  cores: string;
}

/** One vector, once: the victim without the attack, and under attack. */
export const playRound = (vector: Vector, ms: number, profiles?: string): Promise<Played> =>
  onStage(
    { ...vector, env: { ...vector.env, ...(profiles && { LOOP_PROFILES: `${profiles}/${vector.name}` }) } },
    async (round) => {
      const { stage, asVictim } = round;
      const attack = await vector.prepare(stage);
      const waited = await vector.waits?.(stage);
      await asVictim.during(warmUpMs);
      await waited?.once();
      const quiet = await look(round, waited, Math.min(ms, longestQuietMs));

      const ending = new AbortController();
      const attacking = attack(ending.signal).catch((error: unknown) => error);
      await Promise.race([attacking, wait(headStartMs)]);
      const [coresBefore, beganAt] = [round.cores(), performance.now()];
      const attacked = await look(round, waited, ms);
      const cores = describeCores(coresBefore, round.cores(), performance.now() - beganAt);
      ending.abort();
      const failure = await Promise.race([attacking, wait(headStartMs)]);
      if (failure instanceof Error) throw failure;
      const of = (what: keyof Omit<Seen, 'loopDelay'>): [Sample[], Sample[]] => [quiet[what], attacked[what]];
      const figures = [
        figuresOf(vector.name, ...of('requests'), attacked.loopDelay),
        ...(waited ? [figuresOf(`${vector.name}: ${waited.name}`, ...of('waits'))] : []),
      ];
      return { figures, cores };
    },
  );

async function look({ asVictim, loopDelay }: Round, waited: Wait | undefined, ms: number): Promise<Seen> {
  await loopDelay();
  const waiting = waited ? waitAgain(waited, ms) : [];
  const requests = await asVictim.during(ms);
  const delay = await loopDelay();
  return { requests, loopDelay: delay, waits: await waiting };
}

/** One after the other; the last may take longer. */
async function waitAgain({ once }: Wait, ms: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const beganAt = performance.now(); performance.now() - beganAt < ms; await wait(betweenWaitsMs)) {
    const startedAt = performance.now();
    const late = wait(longestWaitMs, { startedAt, endedAt: startedAt + longestWaitMs, status: 0 }, { ref: false });
    const { endedAt, status = 0 } = await Promise.race([once(), late]);
    samples.push({ ms: endedAt - startedAt, status });
  }
  return samples;
}
