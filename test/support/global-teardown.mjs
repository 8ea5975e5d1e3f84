import { rmSync } from 'node:fs';

export default async function globalTeardown() {
  const { postgres, runDir } = globalThis.testRun;
  await postgres.stop();
  rmSync(runDir, { recursive: true, force: true });
}
