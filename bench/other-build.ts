import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

const builds = join('.data', 'bench', 'builds');

/**
 * The folder of another build to measure together with this one.
 *
 * @param where a checkout that is built, or a commit, branch or tag, which is built below `.data/bench/builds` once.
 * @throws Error when it is neither, or does not build.
 */
export function otherBuild(where: string): string {
  if (existsSync(join(where, 'dist'))) return resolve(where);
  const commit = execFileSync('git', ['rev-parse', '--verify', `${where}^{commit}`], { encoding: 'utf8' }).trim();
  const folder = resolve(builds, commit);
  if (!existsSync(folder)) build(commit, folder);
  return folder;
}

function build(commit: string, folder: string): void {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', unfinished], { input: archive });
  const run = (program: string, ...words: string[]): void =>
    void execFileSync(program, words, { cwd: unfinished, stdio: ['ignore', 2, 2] });
  const lockOf = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lockOf(unfinished) === lockOf('.')) {
    symlinkSync(resolve('node_modules'), join(unfinished, 'node_modules'));
    run(process.execPath, 'scripts/build.mjs');
  } else {
    // Its own packages, because their speed is part of the comparison. npm ci builds as well.
    run('npm', 'ci');
  }
  renameSync(unfinished, folder);
}
