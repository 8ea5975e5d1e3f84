import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { environmentOf } from '../../platform/config/app.config.js';

/** A program of this build that runs beside this one. */
export interface ServiceProcess {
  /** Rejects when it ends before it says that it is ready. */
  ready: Promise<void>;
  ended: Promise<void>;
  /** Asks it to exit; a process that has exited is ignored. */
  end(): void;
}

/**
 * What it logs goes where ours does.
 *
 * @param program below src/processes/; it prints a line `{"ready":true,…}` once it answers.
 * @param inherited the names of our variables that it takes over.
 */
export function startProcess(
  program: string,
  inherited: readonly string[],
  variables: Record<string, string>,
): ServiceProcess {
  const file = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const child = spawn(process.execPath, [file], {
    env: environmentOf(inherited, variables),
    // The channel breaks when this process dies without a word, and the child ends then.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const ended = once(child, 'exit').then(() => undefined);
  return {
    ready: new Promise((resolve, reject) => {
      lines.on('line', (line) => void (line.startsWith('{"ready":true') && resolve()));
      void ended.then(() => reject(new Error(`${program} ended before it was ready. Its log shows why.`)));
    }),
    ended,
    end: () => void child.kill('SIGTERM'),
  };
}
