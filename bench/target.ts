import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { mcpUrl } from './approvals.js';
import type { Fixtures } from './fixtures.js';
import type { Scenario } from './scenarios.js';

/** A server under load, in a separate process. */
export interface Target {
  name: string;
  port: number;
  pid: number;
  stop: () => Promise<void>;
  /** By name of a scenario, for another product: the request that asks the same of it. It is sent no others. */
  asks?: Readonly<Record<string, Pick<Scenario, 'status' | 'request'>>>;
}

const dist = fileURLToPath(new URL('..', import.meta.url));

/** The service of this build, or one of the floors. */
export const programOf = (name: string): string =>
  name === 'service' ? serviceIn(dist) : join(dist, `bench/floors/${name}.js`);

/** The service of a build, including earlier ones, which kept its program elsewhere. */
export function serviceIn(build: string): string {
  const program = join(build, 'src/processes/main.js');
  return existsSync(program) ? program : join(build, 'src/main.js');
}

/**
 * Starts a server and waits for the line `{"ready":true,…}` on its standard output, which the floors write as the
 * service does.
 *
 * @param program the file that Node runs.
 * @param flags for Node, such as `--cpu-prof`.
 * @param variables of its environment, besides those of all targets.
 * @throws Error when it ends before that.
 */
export async function startTarget(
  name: string,
  fixtures: Fixtures,
  program = programOf(name),
  flags: readonly string[] = [],
  variables: Record<string, string> = {},
): Promise<Target> {
  const port = await freePort();
  const child = spawn(process.execPath, [...flags, program], {
    env: {
      ...process.env,
      PORT: String(port),
      MCP_URL: mcpUrl,
      DATA_DIR: fixtures.dataDir,
      DATABASE_URL: fixtures.databaseUrl,
      // Requests are measured and never rejected, whatever else the machine does.
      OVERLOAD_DELAY_MS: '0',
      ...variables,
    },
    stdio: ['ignore', 'pipe', openSync(join(fixtures.dataDir, `${name}.log`), 'a')],
  });
  killWithThis(child);
  await becomesReady(child, name);
  return { name, port, pid: child.pid as number, stop: () => stop(child) };
}

/** If a signal ends this process, nothing is left behind. */
export function killWithThis(child: ChildProcess): void {
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

async function becomesReady(child: ChildProcess, name: string): Promise<void> {
  if (!child.stdout) throw new Error('A target is started with a pipe for its output');
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('{"ready":true')) {
      child.stdout.resume();
      return;
    }
  }
  throw new Error(`${name} ended before it was ready`);
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
