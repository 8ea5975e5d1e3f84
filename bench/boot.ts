/**
 * How long the service takes to start: `node dist/bench/boot.js [--beside COMMIT]`. First starts create a database;
 * later ones find it. With another checkout the two take turns.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { cpuMicrosBetween, cpuTimesOf, residentMegabytesOf } from './cpu.js';
import { otherBuild } from './other-build.js';
import { textTable } from './report.js';
import { median } from './statistics.js';
import { freePort, programOf, serviceIn } from './target.js';

interface Start {
  wallMs: number;
  cpuMs: number;
  residentMegabytes: number;
}

const starts = 5;

/** @param program the service's main file. CPU and memory are those of Node and of the Postgres below it. */
async function start(program: string, dataDir: string): Promise<Start> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: String(await freePort()), DATA_DIR: dataDir, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface(child.stdout)) if (line.startsWith('{"ready":true')) break;
  const wallMs = performance.now() - startedAt;
  const pid = child.pid as number;
  const cpuMs = cpuMicrosBetween(new Map(), cpuTimesOf(pid)) / 1_000;
  const residentMegabytes = residentMegabytesOf(pid);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { wallMs, cpuMs, residentMegabytes };
}

const { values } = parseArgs({ options: { beside: { type: 'string' } } });
const programs = [programOf('service'), ...(values.beside ? [serviceIn(join(otherBuild(values.beside), 'dist'))] : [])];
const seen = new Map<string, Start[]>();
for (let round = 0; round < starts; round += 1) {
  for (const program of programs) {
    const dataDir = mkdtempSync(join(tmpdir(), 'pos-boot-'));
    for (const when of ['first start', 'later start']) {
      const name = `${program === programs[0] ? 'service' : 'beside'}, ${when}`;
      seen.set(name, [...(seen.get(name) ?? []), await start(program, dataDir)]);
    }
    rmSync(dataDir, { recursive: true, force: true });
  }
}
const rows = [...seen].map(([name, all]) => [
  name,
  ...[all.map(({ wallMs }) => wallMs), all.map(({ cpuMs }) => cpuMs), all.map((one) => one.residentMegabytes)].map(
    (figures) => median(figures).toFixed(0),
  ),
]);
process.stdout.write(`${textTable([['', 'wall ms', 'CPU ms', 'resident MB'], ...rows])}\n`);
