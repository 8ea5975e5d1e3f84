import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Keyring, type KeyringData, newKeyringData } from '#secrets';

/**
 * The service's secrets, created at the first start and stored with its data. The nodes of a cell share the file. If
 * several nodes start together, all of them use the secrets of the first.
 */
export function loadKeyring(dataDir: string): Keyring {
  const file = join(dataDir, 'keys.json');
  if (!existsSync(file)) makeFile(file, dataDir);
  return new Keyring(JSON.parse(readFileSync(file, 'utf8')) as KeyringData);
}

/** A link appears completely or not at all, and never replaces an existing file. */
function makeFile(file: string, dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${hostname()}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(newKeyringData(), null, 2)}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
