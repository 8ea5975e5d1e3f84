import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
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
import type { Edit, Suite } from './mutant.js';

export interface Run {
  outcome: 'passed' | 'failed' | 'no tests' | 'hung';
  failed: number;
  passed: number;
  seconds: number;
  /** What the failures say. */
  told: string;
}

/** Jest's report, as far as it is read. */
interface Report {
  numFailedTests: number;
  numPassedTests: number;
  testResults: { message: string }[];
}

const longestMs = 240_000;
/** What a mutant has wait for ever costs no more than this, test by test. */
const longestTestMs = 15_000;

/** A copy of the working tree, so that no change ever touches the tree itself. It is built; nothing is built in it. */
export class Checkout {
  readonly folder = mkdtempSync(join(tmpdir(), 'pos-mutants-'));
  private jest?: ChildProcess;

  constructor() {
    const visible = readdirSync('.').filter((name) => !name.startsWith('.') && name !== 'node_modules');
    for (const name of visible) cpSync(name, join(this.folder, name), { recursive: true, preserveTimestamps: true });
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
    // The processes that tests start run from the bundle.
    const isBuilt = edits.some(({ file }) => file.startsWith('dist/'));
    if (isBuilt) this.bundle();
    return () => {
      undo.reverse().forEach((takeBack) => takeBack());
      if (isBuilt) this.bundle();
    };
  }

  private bundle(): void {
    const { status } = spawnSync(process.execPath, ['scripts/bundle.mjs'], {
      cwd: this.folder,
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) throw new Error('What the mutant changed cannot be bundled');
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

  async test({ file, only }: Suite): Promise<Run> {
    const report = join(this.folder, 'report.json');
    rmSync(report, { force: true });
    // Every other suite runs as in `npm test`, whose samples of cases have to notice as well.
    const isLong = file.includes('.long');
    const jest = [
      join('node_modules', 'jest', 'bin', 'jest.js'),
      '--json',
      `--outputFile=${report}`,
      `--testTimeout=${longestTestMs}`,
      ...(isLong ? ['--testPathIgnorePatterns=/node_modules/'] : []),
    ];
    const begun = Date.now();
    // A process group of its own, so that what hangs ends with all that it has started.
    this.jest = spawn(process.execPath, [...jest, ...(only ? ['-t', only] : []), file], {
      cwd: this.folder,
      stdio: 'ignore',
      detached: true,
    });
    const timer = setTimeout(() => this.kill(), longestMs);
    const signal = await new Promise((resolve) => this.jest?.once('exit', (_, by) => resolve(by)));
    clearTimeout(timer);
    const seconds = (Date.now() - begun) / 1_000;
    return { ...(signal ? hung : readReport(report)), seconds };
  }

  remove(): void {
    this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private kill(): void {
    const { pid, exitCode, signalCode } = this.jest ?? {};
    if (pid && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  }
}

const hung = { outcome: 'hung', failed: 0, passed: 0, told: '' } as const;

/** A suite that cannot be loaded has no report, or one without a test. */
function readReport(path: string): Omit<Run, 'seconds'> {
  if (!statSync(path, { throwIfNoEntry: false })) return { ...hung, outcome: 'no tests' };
  const {
    numFailedTests: failed,
    numPassedTests: passed,
    testResults,
  } = JSON.parse(readFileSync(path, 'utf8')) as Report;
  const told = testResults.map(({ message }) => message).join('\n');
  return { outcome: failed ? 'failed' : passed ? 'passed' : 'no tests', failed, passed, told };
}
