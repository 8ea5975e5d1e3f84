import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
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
import ts from 'typescript';
import type { Edit, Suite } from './mutant.js';

export interface Run {
  outcome: 'passed' | 'failed' | 'no tests' | 'hung';
  failed: number;
  passed: number;
  seconds: number;
  /** The messages of the failures. */
  messages: string;
}

/** The first test that fails. */
export interface Failure {
  test: string;
  /** Whether every failed test only timed out, which proves less about a guard than a wrong response does. */
  isTimeout: boolean;
}

interface JestRun {
  code: number | null;
  isHung: boolean;
  seconds: number;
}

/** The parts of Jest's report that are read. */
interface Report {
  numFailedTests: number;
  numPassedTests: number;
  testResults: { message: string }[];
}

const longestMs = 240_000;
/** All tests, on a busy machine. */
const longestRunMs = 1_800_000;
/** A mutant that makes tests wait forever costs no more than this, test by test. */
const longestTestMs = 15_000;

/**
 * A copy of the working tree, so that no change ever affects the tree itself. It is built before; nothing is built in
 * it.
 */
export class Checkout {
  readonly folder = mkdtempSync(join(tmpdir(), 'pos-mutants-'));
  /** Jest's output; with --bail it ends without a report. */
  private readonly outputPath = join(this.folder, 'jest.log');
  private jest?: ChildProcess;

  constructor() {
    const visible = readdirSync('.').filter((name) => !name.startsWith('.') && name !== 'node_modules');
    for (const name of visible) cpSync(name, join(this.folder, name), { recursive: true, preserveTimestamps: true });
    // The copy's folders are new, but its build is not stale.
    utimesSync(join(this.folder, 'dist', '.built'), new Date(), new Date());
    symlinkSync(realpathSync('node_modules'), join(this.folder, 'node_modules'));
  }

  /**
   * Makes the changes, in the sources that the tests run and in the built migrations that create the tests' database.
   *
   * @returns a function that reverts them.
   * @throws Error for a text that does not occur exactly once.
   */
  change(edits: readonly Edit[]): () => void {
    const undo: (() => void)[] = [];
    for (const edit of edits) {
      const built = join('dist', edit.file.replace(/\.ts$/, '.js'));
      for (const file of edit.file.startsWith('src/platform/migrations/') ? [edit.file, built] : [edit.file]) {
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

  /** Compiles one source again, for the threads that tests start. */
  compile(file: string): void {
    const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as {
      config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.');
    const source = readFileSync(join(this.folder, file), 'utf8');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { ...options, module: ts.ModuleKind.ESNext },
      fileName: file,
    });
    writeFileSync(join(this.folder, 'dist', file.replace(/\.tsx?$/, '.js')), outputText);
  }

  /** Bundles the compiled code, for the processes that tests start. */
  bundle(): void {
    const { status } = spawnSync(process.execPath, ['scripts/bundle.mjs'], {
      cwd: this.folder,
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) throw new Error('What the mutant changed cannot be bundled');
  }

  /** The file keeps its time, so that the build does not seem stale. */
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
    // Every other suite runs as in `npm test`, whose samples of cases must detect mutants as well.
    const long = file.includes('.long') ? ['--testPathIgnorePatterns=/node_modules/'] : [];
    const named = only ? ['-t', only] : [];
    const report = join(this.folder, 'report.json');
    rmSync(report, { force: true });
    const { isHung, seconds } = await this.runJest(
      ['--json', `--outputFile=${report}`, ...long, ...named, file],
      longestMs,
    );
    return { ...(isHung ? hung : readReport(report)), seconds };
  }

  /**
   * @param paths folders of tests; all tests by default.
   * @returns undefined if all pass.
   */
  async firstFailure(paths: readonly string[]): Promise<Failure | undefined> {
    const { code, isHung } = await this.runJest(['--bail', ...paths], longestRunMs);
    if (isHung) return { test: 'the whole run', isTimeout: true };
    return code === 0 ? undefined : failureOf(readFileSync(this.outputPath, 'utf8'));
  }

  private async runJest(flags: readonly string[], longest: number): Promise<JestRun> {
    const begun = Date.now();
    const program = join('node_modules', 'jest', 'bin', 'jest.js');
    // A process group of its own, so that a hanging run ends with everything that it has started.
    const output = openSync(this.outputPath, 'w');
    this.jest = spawn(process.execPath, [program, `--testTimeout=${longestTestMs}`, ...flags], {
      cwd: this.folder,
      stdio: ['ignore', 'ignore', output],
      detached: true,
    });
    closeSync(output);
    const timer = setTimeout(() => this.kill(), longest);
    const [code, signal] = (await once(this.jest, 'exit')) as [number | null, string | null];
    clearTimeout(timer);
    return { code, isHung: signal !== null, seconds: (Date.now() - begun) / 1_000 };
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

const hung = { outcome: 'hung', failed: 0, passed: 0, messages: '' } as const;

/** A suite that cannot be loaded has no report, or one without a test. */
function readReport(path: string): Omit<Run, 'seconds'> {
  if (!statSync(path, { throwIfNoEntry: false })) return { ...hung, outcome: 'no tests' };
  const {
    numFailedTests: failed,
    numPassedTests: passed,
    testResults,
  } = JSON.parse(readFileSync(path, 'utf8')) as Report;
  const messages = testResults.map(({ message }) => message).join('\n');
  return { outcome: failed ? 'failed' : passed ? 'passed' : 'no tests', failed, passed, messages };
}

/** Jest writes `● suite › test` and then the error. */
function failureOf(output: string): Failure {
  const failed = output.split(/^ {2}● /m).slice(1);
  const wrong = failed.find((text) => !text.includes('Exceeded timeout'));
  return {
    test: (wrong ?? failed[0] ?? 'no test could run').split('\n', 1)[0] as string,
    isTimeout: failed.length > 0 && !wrong,
  };
}
