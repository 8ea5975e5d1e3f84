import { rmSync } from 'node:fs';

export default async function globalTeardown() {
  const { postgres, dataDir } = globalThis.testPostgres;
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
