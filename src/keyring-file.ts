import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keyring, type KeyringData, newKeyringData } from '#secrets';

/** The service's secrets, made at the first start and kept beside its data; nodes of one cell share the file. */
export function loadKeyring(dataDir: string): Keyring {
  const file = join(dataDir, 'keys.json');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(newKeyringData(), null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  }
  return new Keyring(JSON.parse(readFileSync(file, 'utf8')) as KeyringData);
}
