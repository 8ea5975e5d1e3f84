import { execFileSync } from 'node:child_process';

/** @returns the commit that is checked out in a folder, with + if something has changed since. */
export function commitOf(folder: string): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '-uno') ? '+' : '');
  } catch {
    return 'unknown';
  }
}
