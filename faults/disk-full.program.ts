import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Outcome } from './case.js';
import { KeyedWrites } from './keyed-writes.js';
import { judgeFullDisk, refusedSince } from './refusals.js';
import { inWorld } from './world.js';

const tasks = 600;
const fullMs = 4_000;
const longestMs = 20_000;
const block = Buffer.alloc(4_096, 1);

/** Writes to every last block of the disk. */
function fill(file: string): void {
  const ballast = openSync(file, 'w');
  try {
    for (;;) writeSync(ballast, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(ballast);
  }
}

/** Writers repeat requests until they succeed; the disk that PostgreSQL writes to is full for a while in the middle. */
const outcome = await inWorld(async (world): Promise<Outcome> => {
  const node = await world.start('main', { WORKER: 'off' });
  const client = await world.clientOf([node]);
  const writes = new KeyedWrites(client, tasks);
  await writes.have(1 / 4);
  const ballast = join(tmpdir(), 'ballast');
  fill(ballast);
  const filledAt = performance.now();
  while (refusedSince(client.attempts, filledAt).length === 0 && performance.now() - filledAt < longestMs)
    await wait(50);
  await wait(fullMs);
  rmSync(ballast);
  const emptiedAt = performance.now();
  const counts = await writes.counts(world);
  return { ...counts, ...judgeFullDisk(client.attempts, [filledAt, emptiedAt]) };
});
process.stdout.write(JSON.stringify(outcome), () => process.exit());
