import { jest } from '@jest/globals';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../src/platform/config/app.config.js';
import { LocalDiskStore } from '../../../src/features/tasks/attachments/local-disk.store.js';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pos-files-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

it('has a file and its name on the disk before it is put', async () => {
  const folder = await open(dataDir);
  const synced = jest.spyOn(Object.getPrototypeOf(folder) as typeof folder, 'sync');
  await folder.close();
  const path = `${'a'.repeat(32)}/${'b'.repeat(32)}`;
  const store = new LocalDiskStore({ dataDir } as Config);
  const content = Buffer.from('The key sticks.');
  await store.put(path, content);
  expect(synced).toHaveBeenCalledTimes(2);
  expect(await store.get(path)).toEqual(content);
});
