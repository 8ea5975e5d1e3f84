/**
 * Loaded before the service (`node --import`): measures how late its event loop is, and how much of that its thread
 * computed, and writes the 99th percentiles since the last time into the file LOOP_DELAY on SIGUSR2. On a machine that
 * does other things too, a loop is late because the thread waits for a core.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { createHistogram } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import type { LoopDelay } from './figures.js';

const resolution = 10;
const perMs = 1_000;

/** In microseconds. */
const cpuTime = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/** CPU profiles, one from each SIGUSR2 to the next. */
class Profiles {
  private readonly session = new Session();
  private count = 0;

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
    this.session.connect();
    this.session.post('Profiler.enable');
  }

  next(): void {
    const { count } = this;
    this.count += 1;
    if (count > 0)
      this.session.post('Profiler.stop', (_, { profile }) =>
        writeFileSync(`${this.folder}/${count}.cpuprofile`, JSON.stringify(profile)),
      );
    this.session.post('Profiler.start');
  }
}

const file = process.env.LOOP_DELAY;
// A thread of the service, or a program that it starts, has its own loop, which nobody waits for.
if (isMainThread && file && process.argv[1]?.endsWith('main.js')) {
  const [late, busy] = [createHistogram(), createHistogram()];
  let [at, cpu] = [performance.now(), cpuTime()];
  setInterval(() => {
    const [lateBy, computed] = [(performance.now() - at - resolution) * perMs, cpuTime() - cpu];
    late.record(Math.max(1, Math.round(lateBy)));
    busy.record(Math.max(1, Math.round(Math.min(lateBy, computed))));
    [at, cpu] = [performance.now(), cpuTime()];
  }, resolution).unref();
  const profile = process.env.LOOP_PROFILES ? new Profiles(process.env.LOOP_PROFILES) : undefined;
  process.on('SIGUSR2', () => {
    const delay: LoopDelay = {
      loopMs: late.percentile(99) / perMs,
      busyMs: busy.percentile(99) / perMs,
      longestMs: late.max / perMs,
      longestBusyMs: busy.max / perMs,
    };
    // Writing a profile takes long, which the service would not do.
    profile?.next();
    late.reset();
    busy.reset();
    [at, cpu] = [performance.now(), cpuTime()];
    writeFileSync(`${file}.new`, JSON.stringify(delay));
    renameSync(`${file}.new`, file);
  });
}
