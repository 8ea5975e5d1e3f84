import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const built = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

export type Program = 'main' | 'worker' | 'global-entry/main';

/** A program of the tested service: of this checkout, or of FAULTS_CHECKOUT, to compare the two. */
export function builtService(program: Program | 'ops/main', checkout = process.env.FAULTS_CHECKOUT): string {
  if (!checkout) return built(`src/processes/${program}.js`);
  const file = join(resolve(checkout), 'dist/src/processes', `${program}.js`);
  // Earlier checkouts kept their programs elsewhere.
  return existsSync(file) ? file : join(resolve(checkout), 'dist/src', `${program}.js`);
}

export interface Environment {
  /** Also where the processes write their logs. */
  dataDir: string;
  databaseUrl: string;
  apiKey: string;
  /** Further variables of its environment. */
  env: Record<string, string>;
  /** Where its program is built, if not here. */
  checkout?: string | undefined;
}

/** A process of the service that is restarted each time it is killed. */
export class ServiceProcess {
  private child?: ChildProcess;
  private ready: Promise<void> = Promise.resolve();
  private replacing?: Promise<void>;
  kills = 0;

  private constructor(
    private readonly program: Program,
    readonly port: number,
    private readonly environment: Environment,
  ) {}

  static async start(program: Program, environment: Environment): Promise<ServiceProcess> {
    const started = new ServiceProcess(program, await freePort(), environment);
    await started.boot();
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/api/v1`;
  }

  /** Of the process that runs now. */
  get pid(): number {
    return this.child?.pid as number;
  }

  /** Like a crash: without notice. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
    this.kills += 1;
    await this.boot();
  }

  /**
   * Ends the current process, also in the middle of its start, and starts another. `back` waits for that.
   *
   * @param signal SIGKILL like a crash, SIGTERM like a deployment.
   */
  replace(signal: 'SIGKILL' | 'SIGTERM'): void {
    const { child } = this;
    child?.kill(signal);
    if (this.replacing) return;
    const ended = child && isRunning(child) ? once(child, 'exit') : Promise.resolve();
    const replacing = ended.then(() => this.boot()).finally(() => (this.replacing = undefined));
    // `back` throws its error.
    replacing.catch(() => undefined);
    this.replacing = replacing;
  }

  async back(): Promise<void> {
    await this.replacing;
  }

  /** Like `restart`, with this release after an earlier one. */
  async upgrade(): Promise<void> {
    await this.end();
    this.environment.checkout = undefined;
    await this.boot();
  }

  /** Like a deployment: ended, and replaced by another. */
  async restart(): Promise<void> {
    await this.end();
    await this.boot();
  }

  /** A signal that it survives. */
  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.ready.catch(() => undefined);
    const { child } = this;
    if (!child || !isRunning(child)) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Until it starts, which it does not while the database is down. */
  private async boot(): Promise<void> {
    for (let left = 20; ; left -= 1) {
      this.ready = this.spawn();
      try {
        return await this.ready;
      } catch (error) {
        if (left === 0) throw error;
      }
    }
  }

  private async spawn(): Promise<void> {
    const { dataDir, databaseUrl, apiKey, env, checkout } = this.environment;
    const child = spawn(
      process.execPath,
      ['--import', built('faults/moved-clock.js'), builtService(this.program, checkout)],
      {
        env: {
          PATH: process.env.PATH,
          PORT: String(this.port),
          DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl,
          ADMIN_API_KEY: apiKey,
          LOG_LEVEL: 'error',
          OUTBOUND_ALLOW: '127.0.0.0/8',
          FAULTS_CLOCK: clockFile(dataDir),
          ...env,
        },
        // A session of its own, so that Linux gives it cores as to a program that does not run with the clients.
        detached: true,
        stdio: ['ignore', 'pipe', openSync(join(dataDir, `${this.program.replace('/', '-')}.log`), 'a')],
      },
    );
    this.child = child;
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    if (!child.stdout) throw new Error('A process is started with a pipe for its output');
    for await (const line of createInterface(child.stdout)) {
      if (!line.startsWith('{"ready":true')) continue;
      child.stdout.resume();
      return;
    }
    throw new Error(`${this.program} ended before it was ready`);
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** A clock of all processes that are not started with another in FAULTS_CLOCK. */
export const clockFile = (dataDir: string, clock = 'clock'): string => join(dataDir, clock);

/** The time of the processes that follow this clock: this many milliseconds ahead of ours. */
export const setClock = (dataDir: string, aheadMs: number, clock?: string): void =>
  writeFileSync(clockFile(dataDir, clock), String(aheadMs));

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
