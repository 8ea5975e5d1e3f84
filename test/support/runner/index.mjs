/**
 * Runs test files in processes that keep what they have loaded. Jest's own runner loads and compiles Nest, TypeORM and
 * all the rest anew for every file, which was half of the whole time; what runs and judges the tests is Jest's as ever
 * (jest-circus, expect, fake timers). The price: files share the process, so each must leave it as it found it.
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'jest-worker';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
/** A process that has grown beyond this begins anew, bytes. */
const memoryLimit = 900 * 2 ** 20;

export default class SharedProcessRunner {
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const { maxWorkers } = this.globalConfig;
    const worker = new Worker(here('./worker.mjs'), {
      exposedMethods: ['run'],
      numWorkers: Math.max(1, Math.min(maxWorkers, tests.length)),
      maxRetries: 0,
      idleMemoryLimit: memoryLimit,
      forkOptions: {
        stdio: 'inherit',
        execArgv: ['--enable-source-maps', `--import=${new URL('./modules.mjs', import.meta.url)}`],
      },
    });
    try {
      await Promise.all(tests.map((test) => this.#run(worker, test, watcher, onStart, onResult, onFailure)));
    } finally {
      await worker.end();
    }
  }

  async #run(worker, test, watcher, onStart, onResult, onFailure) {
    if (watcher.isInterrupted()) return;
    try {
      const result = worker.run(test.path, test.context.config, this.globalConfig);
      await onStart(test);
      await onResult(test, await result);
    } catch (error) {
      await onFailure(test, error);
    }
  }
}
