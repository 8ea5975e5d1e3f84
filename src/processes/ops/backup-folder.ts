import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '#child-environment';
import type { ClusterCopy } from '#embedded-postgres';

/** The note in a backup of what it contains; a backup without it was not finished. */
export interface BackupNote extends ClusterCopy {
  /** The folder of the copied database below the backup. */
  cluster: string;
  version: string;
  region: string;
  environment: string;
}

const noteIn = (folder: string): string => join(folder, 'backup.json');
const clusterFolder = /^cluster-/;

/** A name of its own for each copy, so that the earlier one stays usable until the note names the new one. */
export const newClusterFolder = (): string => `cluster-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`;
export const keptFilesIn = (folder: string): string => join(folder, 'files');

export async function readNote(folder: string): Promise<BackupNote | undefined> {
  const text = await unlessAbsent(readFile(noteIn(folder), 'utf8'));
  return text === undefined ? undefined : (JSON.parse(text) as BackupNote);
}

/** Finishes a backup: the note is written once everything else is on the disk. */
export async function finish(folder: string, note: BackupNote): Promise<void> {
  // Node has no call that writes the buffers of one file system.
  const sync = () => promisify(execFile)('sync', { env: childEnvironment() });
  await sync();
  await writeFile(`${noteIn(folder)}.part`, `${JSON.stringify(note, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${noteIn(folder)}.part`, noteIn(folder));
  await sync();
  const earlier = (await filesIn(folder)).filter((name) => clusterFolder.test(name) && name !== note.cluster);
  for (const name of earlier) await rm(join(folder, name), { recursive: true });
}

/** The names in a folder; none if it does not exist. */
export const filesIn = async (folder: string): Promise<string[]> => (await unlessAbsent(readdir(folder))) ?? [];

/**
 * Copies keys, attachments and mail: everything in a data directory except the database. A file is copied again only if
 * it has changed, and none is removed, because an earlier time may need it.
 */
export async function copyFiles(from: string, to: string): Promise<void> {
  for (const name of await filesIn(from)) {
    if (name === 'postgres') continue;
    await cp(join(from, name), join(to, name), { recursive: true, preserveTimestamps: true, filter: hasChanged });
  }
}

async function hasChanged(from: string, to: string): Promise<boolean> {
  // A file that is being written; it is renamed when it is complete.
  if (from.endsWith('.part')) return false;
  const [source, target] = await Promise.all([stat(from), unlessAbsent(stat(to))]);
  if (!target || source.isDirectory()) return true;
  return source.size !== target.size || Math.trunc(source.mtimeMs) !== Math.trunc(target.mtimeMs);
}

async function unlessAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
