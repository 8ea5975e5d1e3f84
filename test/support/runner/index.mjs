/**
 * Runs test files in processes that keep what they have loaded. Jest's own runner loads and compiles Nest, TypeORM and
 * all the rest anew for every file, which was half of the whole time; what runs and judges the tests is Jest's as ever
 * (jest-circus, expect, fake timers). The price: files share the process, so each must leave it as it found it.
 */
import { TestProcess } from './test-process.mjs';

export default class SharedProcessRunner {
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const waiting = [...tests];
    const lane = async () => {
      const process = new TestProcess();
      for (let test = waiting.shift(); test && !watcher.isInterrupted(); test = waiting.shift()) {
        try {
          await onStart(test);
          await onResult(test, await process.run(test.path, test.context.config, this.globalConfig));
        } catch (error) {
          await onFailure(test, error);
        }
      }
      process.end();
    };
    await Promise.all(Array.from({ length: Math.min(this.globalConfig.maxWorkers, tests.length) }, lane));
  }
}
