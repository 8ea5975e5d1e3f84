import { setTimeout as wait } from 'node:timers/promises';
import { apiOf } from './api.js';
import { clock } from './clock.js';
import { TARGET_API_KEY, TARGET_URL } from './target.js';

/** Every process of a deployment follows its clock within a second. */
const followedAfterMs = 1_100;

let aheadMs: number | undefined;

async function advance(seconds: number): Promise<void> {
  const { status, text, body } = await apiOf(TARGET_URL as string, TARGET_API_KEY).post('/clock/advance', {
    by: `PT${Math.ceil(seconds)}S`,
  });
  if (status !== 200) throw new Error(`The clock of the deployment was not moved: ${text}`);
  aheadMs = body.data.offsetSeconds * 1_000;
  await wait(followedAfterMs);
}

/**
 * The time of the tested service. In this process it does not advance after `freeze`; at a deployment, which must be a
 * test environment, it advances, and advanceClock moves it.
 */
export const serviceClock = {
  /** The tolerance for a moment, because time passes at a deployment. */
  slackMs: TARGET_URL ? 30_000 : 2_000,

  freeze(): void {
    if (!TARGET_URL) clock.set(Date.now());
  },

  async advance(milliseconds: number): Promise<void> {
    if (TARGET_URL) await advance(milliseconds / 1_000);
    else clock.advance(milliseconds);
  },

  /** To the start of the next minute, in which nothing has been counted yet. */
  async toFreshMinute(): Promise<void> {
    await serviceClock.advance(60_000 - ((await serviceClock.read()) % 60_000));
  },

  /** A second is too short to be worth a move. */
  async nextSecond(): Promise<void> {
    if (TARGET_URL) await wait(1_000);
    else clock.advance(1_000);
  },

  /** The time there, also before this file has moved it, because an earlier one may have. */
  async read(): Promise<number> {
    if (TARGET_URL) aheadMs ??= (await apiOf(TARGET_URL, TARGET_API_KEY).get('/clock')).body.data.offsetSeconds * 1_000;
    return serviceClock.now();
  },

  now: (): number => Date.now() + (aheadMs ?? 0),

  restore(): void {
    clock.restore();
  },
};
