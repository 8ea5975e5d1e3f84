import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../../platform/config/app.config.js';
import { CONFIG } from '../../../platform/config/app.config.js';
import { AttachmentStore, type KeptFile } from './attachment-store.js';

/** Two ids, and what an unfinished file ends in. Anything else could lead out of the folder. */
const ownPath = /^[0-9a-f]{32}\/[0-9a-f]{32}(\.part)?$/;

/** Files under DATA_DIR/attachments; a file is there whole or not at all, and outlives a loss of power once it is put. */
@Injectable()
export class LocalDiskStore extends AttachmentStore {
  private readonly root: string;

  constructor(@Inject(CONFIG) { dataDir }: Config) {
    super();
    this.root = join(dataDir, 'attachments');
  }

  async put(path: string, content: Buffer): Promise<void> {
    const file = this.fileAt(path);
    if (!file) throw new Error(`${JSON.stringify(path)} is not a path of a file`);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(`${file}.part`, content, { mode: 0o600, flush: true });
    const now = new Date();
    await utimes(`${file}.part`, now, now);
    await rename(`${file}.part`, file);
    await flushed(dirname(file));
  }

  async get(path: string): Promise<Buffer | undefined> {
    const file = this.fileAt(path);
    return file === undefined ? undefined : await unlessAbsent(readFile(file));
  }

  async remove(path: string): Promise<void> {
    const file = this.fileAt(path);
    if (file) await rm(file, { force: true });
  }

  async list(after: string, limit: number): Promise<KeptFile[]> {
    const found: KeptFile[] = [];
    const folders = (await unlessAbsent(readdir(this.root))) ?? [];
    for (const folder of folders.filter((name) => name >= (after.split('/')[0] as string)).sort()) {
      const names = (await unlessAbsent(readdir(join(this.root, folder)))) ?? [];
      const paths = names.map((name) => `${folder}/${name}`).filter((path) => path > after);
      for (const path of paths.sort().slice(0, limit - found.length)) {
        const status = await unlessAbsent(stat(join(this.root, path)));
        if (status) found.push({ path, putAt: status.mtimeMs });
      }
      if (found.length >= limit) break;
    }
    return found;
  }

  private fileAt(path: string): string | undefined {
    return ownPath.test(path) ? join(this.root, path) : undefined;
  }
}

/** The names in a folder are on the disk. */
async function flushed(folder: string): Promise<void> {
  const opened = await open(folder);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/** A missing file is undefined. */
async function unlessAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
