import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Case, Outcome } from './case.js';

const megabytes = 128;
const namespace = ['--user', '--map-root-user', '--mount'];

/** Everything is on a disk that fills up, on which disk-full.program.ts runs. */
export const diskFull: Case = {
  name: 'disk-full',
  missing: () =>
    spawnSync('unshare', [...namespace, 'true']).status === 0
      ? undefined
      : 'no disk can be mounted in a namespace of one’s own',
  run: async () => {
    const disk = mkdtempSync(join(tmpdir(), 'pos-disk-'));
    const program = fileURLToPath(new URL('disk-full.program.js', import.meta.url));
    const script = `mount -t tmpfs -o size=${megabytes}m tmpfs "$TMPDIR" && exec "$0" --enable-source-maps "$1"`;
    try {
      const { stdout } = await promisify(execFile)(
        'unshare',
        [...namespace, '--kill-child', 'sh', '-c', script, process.execPath, program],
        { env: { PATH: process.env.PATH, TMPDIR: disk } },
      );
      return JSON.parse(stdout) as Outcome;
    } finally {
      rmSync(disk, { recursive: true });
    }
  },
};
