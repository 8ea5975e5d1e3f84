import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Keyring, type KeyringData, newKeyringData } from '#secrets';

/**
 * The service's secrets, made at the first start and kept beside its data; nodes of one cell share the file. Of nodes
 * that start together the first one's secrets are everybody's.
 */
export function loadKeyring(dataDir: string): Keyring {
  const file = join(dataDir, 'keys.json');
  if (!existsSync(file)) makeFile(file, dataDir);
  return new Keyring(JSON.parse(readFileSync(file, 'utf8')) as KeyringData);
}

/** A link appears whole or not at all, and takes nobody's place. */
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
