import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readlink, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '#child-environment';
import { claimDataDir } from './data-dir-claim.js';
import { type PostgresAccount, chooseAccount } from './postgres-account.js';
import { findBinaries } from './postgres-binaries.js';
import { acceptsConnections, makeDatabase, runServer } from './postgres-server.js';
import { isListening, readPostmasterPid, stopLeftover } from './postmaster-pid.js';

const run = promisify(execFile);

export interface EmbeddedPostgresOptions {
  /** Absolute path of the cluster's folder, created if absent. Only one process at a time may use it. */
  dataDir: string;
  /** Default true. Off is faster and loses data when the machine stops: for tests. */
  fsync?: boolean;
  /** Default 100. */
  maxConnections?: number;
  /** Receives progress lines for a person. */
  say?: (line: string) => void;
}

export interface EmbeddedPostgres {
  /**
   * `postgresql://owner@localhost/app?host=/tmp/…`: superuser `owner`, database `app`. It stays the same when we
   * restart Postgres.
   */
  readonly url: string;
  /** The pid of the postmaster, which changes when a postmaster that died is restarted. */
  readonly pid: number;
  /** Stops Postgres with a checkpoint and releases the folder. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts our own PostgreSQL 18 on a folder, and creates the cluster if it is absent. It listens only on a Unix socket
 * in a private folder. When this process dies without `stop()`, Postgres shuts down (Linux), and the next start
 * recovers. Throws if another live process uses the folder, if the platform has no binaries, or if Postgres does not
 * start; the last error contains the end of Postgres' log.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { fsync = true, maxConnections = 100, say = () => {} } = options;
  if (process.platform === 'win32') {
    throw new Error('The embedded Postgres does not run on Windows. Set DATABASE_URL to a PostgreSQL 18 server.');
  }
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  // Postgres writes this path into postmaster.pid, where we compare it later, so it needs one spelling.
  const dataDir = await realpath(options.dataDir);
  const release = await claimDataDir(dataDir);
  let socketDir: string | undefined;
  const leave = async (): Promise<void> => {
    if (socketDir) await rm(socketDir, { recursive: true, force: true });
    await release();
  };
  try {
    const account = chooseAccount(await findBinaries(dataDir), dataDir);
    const clusterDir = clusterDirOf(dataDir);
    await stopLeftover(clusterDir, say);
    if (!existsSync(clusterDir)) await makeCluster(clusterDir, account, fsync, say);
    await giveCluster(clusterDir, account);
    await keepPreviousLog(dataDir);
    socketDir = await makeSocketDir(dataDir, account);

    const command = account.command('postgres', ['-D', clusterDir, ...settings(socketDir, fsync, maxConnections)]);
    const adminUrl = urlOf(socketDir, 'postgres');
    const server = await runServer({ command, logFile: logFileOf(dataDir), url: adminUrl, say });
    await makeDatabase(adminUrl, 'app').catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    let stopped: Promise<void> | undefined;
    return {
      url: urlOf(socketDir, 'app'),
      get pid() {
        return server.pid;
      },
      stop: () => (stopped ??= server.stop().then(leave)),
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

/**
 * The connection URL of a cluster that is running on this data directory (by another process), or undefined: for
 * command-line tools that work beside a running service.
 */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  if (!existsSync(clusterDirOf(dataDir))) return undefined;
  const clusterDir = clusterDirOf(await realpath(dataDir));
  const postmaster = await readPostmasterPid(clusterDir);
  if (postmaster?.clusterDir !== clusterDir) return undefined;
  const url = urlOf(postmaster.socketDir, 'app');
  return (await acceptsConnections(url)) ? url : undefined;
}

/** Where the cluster is below a data directory. */
export const clusterDirOf = (dataDir: string): string => join(dataDir, 'cluster');
const logFileOf = (dataDir: string): string => join(dataDir, 'postgres.log');
const urlOf = (socketDir: string, database: string): string =>
  `postgresql://owner@localhost/${database}?host=${socketDir}`;

function settings(socketDir: string, fsync: boolean, maxConnections: number): string[] {
  const values: Record<string, string> = {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    max_connections: String(maxConnections),
    shared_buffers: '128MB',
    // So that a backup of the hour before can be continued.
    wal_keep_size: '512MB',
    // By default, PostgreSQL fills each new segment of its log with zeros, and all commits wait until that is on disk.
    wal_init_zero: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...(fsync ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Created under another name and renamed when complete, so that a killed start leaves no partial cluster. */
async function makeCluster(clusterDir: string, account: PostgresAccount, fsync: boolean, say: (line: string) => void) {
  say(`Creating a PostgreSQL cluster in ${clusterDir}`);
  const unfinished = `${clusterDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const collation = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const access = ['--username=owner', '--auth=trust'];
  const durability = fsync ? [] : ['--no-sync'];
  const wishes = ['-D', unfinished, ...collation, ...access, ...durability];
  const { file, args, options } = account.command('initdb', wishes);
  await run(file, args, options);
  await rename(unfinished, clusterDir);
}

/** Postgres rejects a cluster of another user, which happens when the way we run as root has changed. */
async function giveCluster(clusterDir: string, account: PostgresAccount): Promise<void> {
  const { uid } = await stat(clusterDir);
  if (uid === account.uid) return;
  if (process.getuid?.() !== 0) {
    throw new Error(`The database in ${clusterDir} belongs to user ${uid}. Run as that user, or change its owner.`);
  }
  await run('chown', ['-R', `${account.uid}:${account.gid}`, clusterDir], { env: childEnvironment() });
}

/**
 * A private folder with a short path: a Unix socket's path may have 107 bytes (103 on macOS). The link `socket` in the
 * data directory remembers it, so that the next start removes what a killed process left.
 */
async function makeSocketDir(dataDir: string, account: PostgresAccount): Promise<string> {
  const link = join(dataDir, 'socket');
  const previous = await readlink(link).catch(() => undefined);
  // A data directory that was copied from a running service names the service's socket.
  if (previous && !(await isListening(previous))) await rm(previous, { recursive: true, force: true });
  await rm(link, { force: true });

  const socketDir = await mkdtemp('/tmp/pg-');
  await chown(socketDir, account.uid, account.gid);
  await symlink(socketDir, link);
  return socketDir;
}

async function keepPreviousLog(dataDir: string): Promise<void> {
  if (existsSync(logFileOf(dataDir))) await rename(logFileOf(dataDir), join(dataDir, 'postgres.previous.log'));
}
