import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
/** A process that has grown beyond this is replaced, in bytes. */
const memoryLimit = 2 ** 31;

/** One process for many test files, created when it is first needed and again after it ended. */
export class TestProcess {
  /**
   * @returns Jest's result of the file.
   * @throws Error if the file cannot be loaded, or the process ended while it ran.
   */
  async run(...file) {
    this.child ??= this.start();
    const { child } = this;
    const over = new AbortController();
    try {
      child.send(file);
      const [{ result, error, memory }] = await Promise.race([once(child, 'message', over), endOf(child, over)]);
      if (memory > memoryLimit) this.end();
      if (error) throw error;
      return result;
    } finally {
      over.abort();
    }
  }

  end() {
    this.child?.removeAllListeners('exit').kill('SIGKILL');
    this.child = undefined;
  }

  start() {
    const child = fork(here('./worker.mjs'), {
      serialization: 'advanced',
      execArgv: ['--enable-source-maps', `--import=${new URL('./modules.mjs', import.meta.url)}`],
    });
    return child.once('exit', () => (this.child = undefined));
  }
}

async function endOf(child, over) {
  const [code, signal] = await once(child, 'exit', over);
  throw new Error(`The process ended while it ran this file, by ${signal ?? `code ${code}`}`);
}
