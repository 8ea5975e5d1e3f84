import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './start-app.js';

/** For tests that need PgBouncer: skipped with a message if it is not installed. */
export function withPooler(): jest.Describe {
  if (spawnSync('pgbouncer', ['--version']).status === 0) return describe;
  console.warn('Skipped: there is no pgbouncer on this machine');
  return describe.skip;
}

export interface Pooler {
  /** The same database behind the pooler. */
  url: string;
  stop(): Promise<void>;
}

/** A PgBouncer in transaction mode with few sessions, so that each is shared. */
export async function startPooler(databaseUrl: string): Promise<Pooler> {
  const { pathname, searchParams } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'pos-pooler-'));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `pooled = host=${searchParams.get('host')} port=5432 user=owner dbname=${pathname.slice(1)}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
    'auth_type = any\npool_mode = transaction\ndefault_pool_size = 3',
  ];
  writeFileSync(file, `${settings.join('\n')}\n`);
  // It refuses to run as root, and the socket of the tests' database belongs to root: so it gets root's files under
  // another name.
  const asNobody = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'] : [];
  const child = spawn('env', [...asNobody, 'pgbouncer', file], { stdio: 'ignore' });
  while (!(await accepts(port, child))) await pause(20);
  return {
    url: `postgresql://owner@127.0.0.1:${port}/pooled`,
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(port: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
  const socket = createConnection(port, '127.0.0.1');
  const connected = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  return await connected.finally(() => socket.destroy());
}
