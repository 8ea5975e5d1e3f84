import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('../support/collections.program.ts', import.meta.url));

/** How often V8 collects everything in a process with as much memory as the service, through which 1.5 GB of buffers pass. */
const collections = async (...args: string[]): Promise<number> =>
  Number((await promisify(execFile)(process.execPath, [program, ...args])).stdout);

// docs/reliability.md, Neighbours.
it('does not collect everything each time some megabytes of buffers have come together', async () => {
  expect(await collections('as the service')).toBeLessThan((await collections()) / 2);
});
