import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Edit } from './mutant.js';

const copied = ['src', 'libs', 'test', 'scripts', 'docs', 'dist', 'bench', 'faults', 'mutants'];
const files = [
  'package.json',
  'jest.config.js',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
  'ormconfig.ts',
  'README.md',
  'docker-compose.yml',
];

export interface Run {
  outcome: 'passed' | 'failed' | 'no tests' | 'timeout';
  failed: number;
  passed: number;
  seconds: number;
}

const longestMs = 240_000;

/** A copy of the working tree, so that no change ever touches the tree itself. It is built; nothing is built in it. */
export class Checkout {
  readonly folder = mkdtempSync(join(tmpdir(), 'pos-mutants-'));

  constructor() {
    for (const name of [...copied, ...files]) {
      if (existsSync(name)) cpSync(name, join(this.folder, name), { recursive: true, preserveTimestamps: true });
    }
    // The copy's folders are new, its build is not stale for that.
    utimesSync(join(this.folder, 'dist', '.built'), new Date(), new Date());
    symlinkSync(realpathSync('node_modules'), join(this.folder, 'node_modules'));
  }

  /**
   * Makes the changes, in the sources that the tests run and in the built migrations that the tests' database is made by.
   *
   * @returns what takes them back.
   * @throws Error for a text that is not there exactly once.
   */
  change(edits: readonly Edit[]): () => void {
    const undo: (() => void)[] = [];
    for (const edit of edits) {
      const built = join('dist', edit.file.replace(/\.ts$/, '.js'));
      for (const file of edit.file.startsWith('src/migrations/') ? [edit.file, built] : [edit.file]) {
        undo.push(this.replace({ ...edit, file }));
      }
    }
    return () => undo.reverse().forEach((takeBack) => takeBack());
  }

  /** The time of the file stays, so that the build is not taken for stale. */
  private replace({ file, find, replace }: Edit): () => void {
    const path = join(this.folder, file);
    const [before, { atime, mtime }] = [readFileSync(path, 'utf8'), statSync(path)];
    const parts = before.split(find);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${find}`);
    const write = (text: string): void => {
      writeFileSync(path, text);
      utimesSync(path, atime, mtime);
    };
    write(parts.join(replace));
    return () => write(before);
  }

  async test(tests: readonly string[], only?: string): Promise<Run> {
    const report = join(this.folder, 'report.json');
    rmSync(report, { force: true });
    const jest = [join('node_modules', 'jest', 'bin', 'jest.js'), '--json', `--outputFile=${report}`];
    const begun = Date.now();
    const child = spawn(process.execPath, [...jest, ...(only ? ['-t', only] : []), ...tests], {
      cwd: this.folder,
      stdio: 'ignore',
      detached: true,
    });
    const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), longestMs);
    const isKilled = await new Promise<boolean>((resolve) =>
      child.once('exit', (_, signal) => resolve(signal !== null)),
    );
    clearTimeout(timer);
    const seconds = (Date.now() - begun) / 1_000;
    if (isKilled || !existsSync(report))
      return { outcome: isKilled ? 'timeout' : 'no tests', failed: 0, passed: 0, seconds };
    const { numFailedTests: failed, numPassedTests: passed } = JSON.parse(readFileSync(report, 'utf8')) as Record<
      string,
      number
    >;
    const outcome = failed ? 'failed' : passed ? 'passed' : 'no tests';
    return { outcome, failed: failed ?? 0, passed: passed ?? 0, seconds };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
