import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The contents of postmaster.pid (PostgreSQL source, utils/pidfile.h). */
export interface PostmasterPid {
  pid: number;
  clusterDir: string;
  socketDir: string;
}

const fileOf = (clusterDir: string): string => join(clusterDir, 'postmaster.pid');
const pollMs = 50;
const answerWithinMs = 1_000;
const stopWithinMs = 60_000;

/** The parsed file, or undefined if it is absent or still being written. */
export async function readPostmasterPid(clusterDir: string): Promise<PostmasterPid | undefined> {
  const text = await readFile(fileOf(clusterDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [pid, directory, , , socketDir] = text.split('\n');
  return pid && directory && socketDir ? { pid: Number(pid), clusterDir: directory, socketDir } : undefined;
}

/**
 * Stops the Postgres that a killed owner left on this cluster, and removes a pid file that would block a new one. The
 * pid in the file proves nothing, because another program or a zombie may have it; a server that responds on the
 * recorded socket is Postgres. Only the owner of the data directory may call this.
 */
export async function stopLeftover(clusterDir: string, say: (line: string) => void): Promise<void> {
  const found = await readPostmasterPid(clusterDir);
  // In a copied cluster the file names the original, which we must not stop.
  const isOurs = found?.clusterDir === clusterDir;
  if (isOurs && isAlive(found.pid) && (await within(answerWithinMs, () => isListening(found.socketDir)))) {
    say(`Stopping Postgres (process ${found.pid}), which an earlier run left behind.`);
    process.kill(found.pid, 'SIGINT');
    const isGone = async () => !isAlive(found.pid) || !(await isListening(found.socketDir));
    if (!(await within(stopWithinMs, isGone))) {
      throw new Error(`Postgres (process ${found.pid}) from an earlier run does not stop. End it first.`);
    }
    // It closes its socket just before it removes the file and exits.
    await within(answerWithinMs, async () => !isAlive(found.pid) || !(await readPostmasterPid(clusterDir)));
  }
  await rm(fileOf(clusterDir), { force: true });
}

/** Whether a server has a socket open in this folder. */
export function isListening(socketDir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(socketDir, '.s.PGSQL.5432'));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Any other error (a full backlog, a closed folder) comes from a socket that exists.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(!isDead(error.code)));
  });
}

const isDead = (code = ''): boolean => ['ENOENT', 'ENOTDIR', 'ECONNREFUSED'].includes(code);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function within(milliseconds: number, condition: () => Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited < milliseconds; waited += pollMs) {
    if (await condition()) return true;
    await delay(pollMs);
  }
  return condition();
}
