import { type SpawnOptions, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment } from '#child-environment';
import type { PostgresBinaries } from './postgres-binaries.js';

export interface Command {
  file: string;
  args: string[];
  options: Pick<SpawnOptions, 'cwd' | 'env'>;
}

/** Who runs Postgres, which refuses to run as root. */
export interface PostgresAccount {
  /** The owner of the cluster's files, seen from this process. */
  uid: number;
  gid: number;
  /** The command line that runs a program of Postgres in this account. It replaces itself: its pid is the program's. */
  command(program: 'initdb' | 'postgres', args: string[]): Command;
}

const nobody = 65_534;
/** A fast, clean shutdown of Postgres when this process dies, however it dies. */
const dieWithParent = ['setpriv', '--pdeathsig', 'INT'];

interface Way {
  uid: number;
  gid: number;
  prefix: string[];
}

/** The first way to run Postgres that works here: some containers block one way, folders of other users another. */
export function chooseAccount({ programs, env }: PostgresBinaries, dataDir: string): PostgresAccount {
  const way = waysToRun().find(({ prefix }) => reaches(prefix, join(programs, 'postgres'), dataDir));
  if (!way) throw new Error(`No user that may run Postgres can write to ${dataDir} and read ${programs}.`);
  return {
    uid: way.uid,
    gid: way.gid,
    command: (program, args) => {
      const [file = '', ...rest] = [...way.prefix, join(programs, program), ...args];
      // The account may not have access to our working directory.
      return { file, args: rest, options: { cwd: '/', env: { ...childEnvironment(), ...env } } };
    },
  };
}

function waysToRun(): Way[] {
  const ourselves = { uid: process.getuid?.() ?? nobody, gid: process.getgid?.() ?? nobody };
  if (process.platform !== 'linux') return [{ ...ourselves, prefix: [] }];
  if (ourselves.uid !== 0) return [{ ...ourselves, prefix: [...dieWithParent, '--'] }];

  // Root outside and nobody inside a user namespace: the process keeps root's files and loses root's powers.
  const namespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--'];
  // If that is not allowed (Docker's default seccomp profile): nobody, with the single power to enter folders that only
  // root may enter, such as /root.
  const passage = '-all,+dac_override';
  const capabilities = [`--inh-caps=${passage}`, `--ambient-caps=${passage}`, `--bounding-set=${passage}`];
  const user = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...capabilities];
  return [
    { ...ourselves, prefix: [...namespace, ...dieWithParent, '--'] },
    { uid: nobody, gid: nobody, prefix: [...dieWithParent, ...user, '--'] },
  ];
}

function reaches(prefix: string[], program: string, dataDir: string): boolean {
  const [file, ...args] = [...prefix, 'sh', '-c', 'test -x "$0" && test -w "$1"', program, dataDir];
  return spawnSync(file, args, { cwd: '/', env: childEnvironment(), stdio: 'ignore' }).status === 0;
}
