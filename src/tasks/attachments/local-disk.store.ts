import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../app.config.js';
import { CONFIG } from '../../app.config.js';
import { AttachmentStore } from './attachment-store.js';

/** Files under DATA_DIR/attachments; a file is there whole or not at all. */
@Injectable()
export class LocalDiskStore extends AttachmentStore {
  private readonly root: string;

  constructor(@Inject(CONFIG) { dataDir }: Config) {
    super();
    this.root = join(dataDir, 'attachments');
  }

  async put(path: string, content: Buffer): Promise<void> {
    const file = join(this.root, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(`${file}.part`, content, { mode: 0o600 });
    await rename(`${file}.part`, file);
  }

  async get(path: string): Promise<Buffer | undefined> {
    try {
      return await readFile(join(this.root, path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
