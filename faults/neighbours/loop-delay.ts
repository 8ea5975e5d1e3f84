/**
 * Loaded before the service (`node --import`): measures how late its event loop is, and writes the percentiles since the
 * last time into the file LOOP_DELAY on SIGUSR2.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const resolution = 10;
const nanosecondsPerMs = 1e6;

const file = process.env.LOOP_DELAY;
// A thread of the service, or a program that it starts, has a loop of its own, which nobody waits for.
if (isMainThread && file && process.argv[1]?.endsWith('main.js')) {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  process.on('SIGUSR2', () => {
    const late = Math.max(0, delay.percentile(99) / nanosecondsPerMs - resolution);
    delay.reset();
    writeFileSync(`${file}.new`, String(late));
    renameSync(`${file}.new`, file);
  });
}
