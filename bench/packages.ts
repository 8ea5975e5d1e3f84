/**
 * How long `npm ci` takes in a fresh checkout of the last commit, with an empty cache, and how much it installs:
 * `node dist/bench/packages.js`. The time includes the build, and depends on the registry.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textTable } from './report.js';

const ways = [
  { words: ['ci'], mostSeconds: 45, mostMegabytes: 700 },
  { words: ['ci', '--omit=dev'], mostMegabytes: 450 },
];

const rows = ways.map(({ words, mostSeconds, mostMegabytes }) => {
  const folder = mkdtempSync(join(tmpdir(), 'pos-packages-'));
  try {
    const checkout = join(folder, 'checkout');
    execFileSync('git', ['clone', '--quiet', '.', checkout]);
    const startedAt = performance.now();
    execFileSync('npm', [...words, '--cache', join(folder, 'cache')], { cwd: checkout, stdio: ['ignore', 2, 2] });
    const seconds = (performance.now() - startedAt) / 1_000;
    const packages = join(checkout, 'node_modules');
    const megabytes = Number.parseInt(execFileSync('du', ['-sm', packages], { encoding: 'utf8' }), 10);
    const installed = JSON.parse(readFileSync(join(packages, '.package-lock.json'), 'utf8')) as { packages: object };
    return [
      `npm ${words.join(' ')}`,
      `${Object.keys(installed.packages).length}`,
      ...[judged(seconds, mostSeconds), judged(megabytes, mostMegabytes)].flat(),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
});
process.stdout.write(`${textTable([['', 'packages', 'seconds', 'at most', 'MB', 'at most'], ...rows])}\n`);

/** What was measured, and the limit if there is one. */
function judged(value: number, most?: number): string[] {
  return [value.toFixed(0), most === undefined ? '' : `${most}: ${value <= most ? 'met' : 'MISSED'}`];
}
