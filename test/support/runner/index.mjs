/**
 * Runs test files in processes that keep the modules they have loaded. Jest's own runner loads and compiles Nest,
 * TypeORM and everything else again for every file, which took half of the whole time. Jest still runs and judges the
 * tests (jest-circus, expect, fake timers). The price: files share the process, so each must leave it as it found it.
 */
import { TestProcess } from './test-process.mjs';

/** Files about the other files run after them. */
const isLast = ({ path }) => path.endsWith('.last.test.ts');

export default class SharedProcessRunner {
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const processes = Array.from(
      { length: Math.min(this.globalConfig.maxWorkers, tests.length) },
      () => new TestProcess(),
    );
    const runAll = (waiting) => Promise.all(processes.map((process) => lane(process, waiting)));
    const lane = async (process, waiting) => {
      for (let test = waiting.shift(); test && !watcher.isInterrupted(); test = waiting.shift()) {
        try {
          await onStart(test);
          await onResult(test, await process.run(test.path, test.context.config, this.globalConfig));
        } catch (error) {
          await onFailure(test, error);
        }
      }
    };
    await runAll(tests.filter((test) => !isLast(test)));
    await runAll(tests.filter(isLast));
    for (const process of processes) process.end();
  }
}
