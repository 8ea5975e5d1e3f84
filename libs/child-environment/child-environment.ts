type Variables = Record<string, string | undefined>;

/** What any program may need to run: where programs and libraries are, the language, the time zone, temporary files. */
const needed = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'LOCPATH',
  'TZ',
  'TZDIR',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  // The time that libfaketime sets, which a database must share with its service.
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'DYLD_FORCE_FLAT_NAMESPACE',
  'DONT_FAKE_MONOTONIC',
  'NO_FAKE_STAT',
]);
const neededPrefixes = ['LC_', 'FAKETIME'];

/**
 * The environment of a program that this process starts. Our own environment contains passwords and keys, which other
 * processes of the same user could read and which the program would pass on to its children, so it inherits only these
 * variables.
 *
 * @param further names of other variables that this program needs.
 */
export function childEnvironment(further: readonly string[] = []): Variables {
  const isNeeded = (name: string): boolean =>
    needed.has(name) || further.includes(name) || neededPrefixes.some((prefix) => name.startsWith(prefix));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isNeeded(name)));
}
