import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { clusterDirOf, continueCopy, copyCluster, recoverCluster } from '#embedded-postgres';
import { invalidField } from '#errors';
import { Text, Timestamp } from '#operations';
import { type Config, readConfig } from '../../platform/config/app.config.js';
import { version } from '../../platform/config/version.js';
import {
  type BackupNote,
  copyFiles,
  filesIn,
  finish,
  keptFilesIn,
  newClusterFolder,
  readNote,
} from './backup-folder.js';
import type { Command } from './command.js';
import { findDatabase, postgresDirOf } from './service.js';

class Backup {
  @Text({ description: 'Folder of the backup. An earlier backup in it is updated.', max: 4_000 })
  to: string;
}

class Restore {
  @Text({ description: 'Folder of the backup.', max: 4_000 })
  from: string;

  @Timestamp({ description: 'Time to restore to; by default the latest that the backup contains.', optional: true })
  at?: string;
}

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    description: 'Copies the embedded database, keys and files to a folder, even while the service is running.',
    input: Backup,
    givesWay: true,
    run: async (input) => ({ value: await backUp(readConfig(), resolve((input as Backup).to)) }),
  },
  {
    name: 'restore',
    description: 'Creates DATA_DIR from a backup, as it was at the end of the backup or at an earlier time.',
    input: Restore,
    run: async (input) => {
      const { from, at } = input as Restore;
      return { value: await restore(readConfig(), resolve(from), at) };
    },
  },
];

interface BackedUp extends Pick<BackupNote, 'from' | 'until'> {
  folder: string;
  /** Whether only what changed since the last backup was copied. */
  continued: boolean;
}

async function backUp(config: Config, folder: string): Promise<BackedUp> {
  const { dataDir, region, environment } = config;
  requireEmbedded(config);
  const note = await readNote(folder);
  if (!note && (await filesIn(folder)).some((name) => name !== 'files' && !name.startsWith('cluster-')))
    throw invalidField(['to'], `${folder} contains other files. Choose an empty folder.`);

  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = keptFilesIn(folder);
  const database = await findDatabase(config);
  try {
    const source = { url: database.url, clusterDir: clusterDirOf(postgresDirOf(dataDir)) };
    // Before the database, for files that are removed during the copy, and after it, for those that its last rows name.
    await copyFiles(dataDir, files);
    const continued = note && (await continueCopy(source, join(folder, note.cluster), note));
    const cluster = continued ? note.cluster : newClusterFolder();
    const copy = continued ?? (await copyCluster(source, join(folder, cluster)));
    await copyFiles(dataDir, files);
    await finish(folder, { ...copy, cluster, version, region, environment });
    return { folder, from: copy.from, until: copy.until, continued: continued !== undefined };
  } finally {
    await database.stop();
  }
}

async function restore(config: Config, folder: string, at?: string): Promise<{ dataDir: string; at: string }> {
  const { dataDir } = config;
  requireEmbedded(config);
  const note = await readNote(folder);
  if (!note) throw invalidField(['from'], `${folder} contains no complete backup.`);
  if (at !== undefined && (Date.parse(at) < Date.parse(note.from) || Date.parse(at) > Date.parse(note.until)))
    throw invalidField(['at'], `Pass a time from ${note.from} to ${note.until}, the range of this backup.`);
  if ((await filesIn(dataDir)).length > 0)
    throw invalidField(['from'], `${dataDir} is not empty. Set DATA_DIR to a folder that does not exist yet.`);

  // The folder gets its name once it can be used.
  const unfinished = `${dataDir}.unfinished`;
  const postgresDir = postgresDirOf(unfinished);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(postgresDir, { recursive: true, mode: 0o700 });
  await copyFiles(keptFilesIn(folder), unfinished);
  await cp(join(folder, note.cluster), clusterDirOf(postgresDir), { recursive: true });
  await recoverCluster(postgresDir, at);
  await rm(dataDir, { recursive: true, force: true });
  await rename(unfinished, dataDir);
  return { dataDir, at: at ?? note.until };
}

function requireEmbedded({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return;
  const message =
    'These commands work only with the embedded database. Back up your own server with pg_basebackup or pg_dump.';
  throw invalidField(['DATABASE_URL'], message);
}
