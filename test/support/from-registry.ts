import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const npm = (args: readonly string[], options: object) => promisify(execFile)('npm', args, options);

/**
 * A folder with these packages as their users install them, for tests of how others use the service. Request it before
 * tests are declared, so that they count as skipped.
 *
 * @returns undefined, with a message, if npm reaches no registry.
 * @throws Error if the registry is reachable and the packages cannot be installed.
 */
export async function installedFromRegistry(...packages: string[]): Promise<string | undefined> {
  try {
    await npm(['ping'], { timeout: 20_000 });
  } catch {
    process.stderr.write(`SKIPPED: npm reaches no registry for ${packages.join(', ')}.\n`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'pos-packages-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: folder, timeout: 300_000 });
  return folder;
}

export const removeInstalled = (folder: string | undefined): void => {
  if (folder) rmSync(folder, { recursive: true, force: true });
};
