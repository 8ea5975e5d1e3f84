import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

async function printed(program: string, ...args: string[]): Promise<number> {
  const path = fileURLToPath(new URL(`../support/${program}.program.ts`, import.meta.url));
  return Number((await promisify(execFile)(process.execPath, [path, ...args])).stdout);
}

/** How often V8 collects everything in a process with as much memory as the service, through which 4.5 GB of buffers pass. */
const collections = (...args: string[]): Promise<number> => printed('collections', ...args);

// docs/reliability.md, Neighbours.
it('does not collect everything each time some megabytes of buffers have come together', async () => {
  // One or two, and rarely more on a machine that has no core for V8's threads. Without the flag, no run has few.
  const runs: number[] = [];
  for (let run = 0; run < 3; run += 1) runs.push(await collections('as the service'));
  expect(Math.min(...runs)).toBeLessThan((await collections()) / 4);
});

// docs/performance.md, Where the time goes.
it('puts no short-lived objects among old ones, whatever lived long before', async () => {
  // Otherwise they are two megabytes, unless V8's compiler had no core.
  expect(await printed('tenured', 'as the service')).toBeLessThan(100_000);
});
