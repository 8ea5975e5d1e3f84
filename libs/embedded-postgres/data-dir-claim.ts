import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '#child-environment';

/**
 * Makes this process the only owner of the data directory until `release` or until it dies. The claim is a kernel lock
 * (flock) on an open file. A pid is not enough: pids are reused, especially in containers, and two starts could both
 * take over from a dead owner. Throws an error with the owner's pid if the directory has a live owner.
 */
export async function claimDataDir(dataDir: string): Promise<() => Promise<void>> {
  const file = join(dataDir, 'owner.pid');
  const handle = await openLocked(file);
  if (!handle) {
    const owner = (await readFile(file, 'utf8')).trim();
    throw new Error(`The database in ${dataDir} is in use by process ${owner}. Stop it, or use another folder.`);
  }
  await handle.truncate();
  await handle.write(`${process.pid}\n`, 0);
  let released = false;
  return async () => {
    if (released) return;
    released = true;
    await handle.close();
  };
}

/** The file, open and locked, or undefined where another open file has the lock. */
async function openLocked(file: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDWR | constants.O_CREAT;
  if (process.platform === 'darwin') {
    const exclusiveLock = 0x20; // O_EXLOCK of <sys/fcntl.h>, which Node has no name for
    return open(file, flags | constants.O_NONBLOCK | exclusiveLock, 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EAGAIN') return undefined;
      throw error;
    });
  }
  const handle = await open(file, flags, 0o600);
  // The lock belongs to the open file that flock inherits from us, so it outlives flock and ends with our handle.
  const { status, error } = spawnSync('flock', ['--nonblock', '3'], {
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', handle.fd],
  });
  if (status === 0) return handle;
  await handle.close();
  if (error) throw new Error('The embedded Postgres needs flock, setpriv and unshare of util-linux.', { cause: error });
  return undefined;
}
