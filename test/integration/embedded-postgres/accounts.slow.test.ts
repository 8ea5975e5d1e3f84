import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../libs/embedded-postgres/index.js';
import { Workplace, clusterOf, isRoot, isRunning, query, until } from './support.js';

const workplace = new Workplace();
afterEach(() => workplace.clear());

const ordinary = 65_534;
const asOrdinaryUser = ['setpriv', `--reuid=${ordinary}`, `--regid=${ordinary}`, '--clear-groups', '--'];
const whenRoot = isRoot ? it : it.skip;
// An ordinary user cannot read a checkout below a closed folder such as /root.
const checkoutIsOpen =
  isRoot && spawnSync('setpriv', [...asOrdinaryUser.slice(1), 'test', '-r', import.meta.filename]).status === 0;

const effectiveUser = async (pid: number): Promise<number> =>
  Number(/^Uid:\s+\d+\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);

whenRoot('runs as root in a user namespace without root’s powers', async () => {
  const dataDir = await workplace.folder();
  const postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
  try {
    expect(await readFile(`/proc/${postgres.pid}/uid_map`, 'utf8')).toMatch(/^\s*65534\s+0\s+1\s*$/);
    expect(await readFile(`/proc/${postgres.pid}/status`, 'utf8')).toMatch(/^CapEff:\s+0+$/m);
    expect((await stat(clusterOf(dataDir))).uid).toBe(0);
  } finally {
    await postgres.stop();
  }
});

whenRoot(
  'runs as nobody if user namespaces are not allowed, on a cluster created with them, below a closed folder',
  async () => {
    const dataDir = join(await workplace.folder(), 'data');
    const first = await startEmbeddedPostgres({ dataDir, fsync: false });
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();

    // As under Docker's default seccomp profile.
    const withoutNamespaces = await workplace.environmentWith('unshare', 'exit 1');
    const owner = await workplace.owner(dataDir, [], withoutNamespaces);
    expect(await effectiveUser(owner.pid)).toBe(ordinary);
    expect((await stat(clusterOf(dataDir))).uid).toBe(ordinary);
    expect(await query(owner.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    owner.child.kill('SIGKILL');
    // Its lock on the folder ends with it, which may be after its database has ended.
    await once(owner.child, 'exit');
    await until(() => !isRunning(owner.pid));

    const last = await startEmbeddedPostgres({ dataDir, fsync: false });
    expect(await query(last.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await last.stop();
  },
);

(checkoutIsOpen ? it : it.skip)('runs as the ordinary user who starts it, and ends with that process', async () => {
  const dataDir = await workplace.folder();
  await chown(dataDir, ordinary, ordinary);
  const owner = await workplace.owner(dataDir, asOrdinaryUser);
  expect(await effectiveUser(owner.pid)).toBe(ordinary);
  expect(await query(owner.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  owner.child.kill('SIGKILL');
  await once(owner.child, 'exit');
  await until(() => !isRunning(owner.pid));
});
