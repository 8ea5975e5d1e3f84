import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { nameSourcesInTraces } from '#traces';

/**
 * Runs one of our processes from the few files that scripts/bundle.mjs makes of it: to find and compile three thousand
 * modules one by one takes longer than to do anything with them. V8's compiled code is kept in dist from one start to
 * the next, which has to be configured before the first of these files is loaded.
 *
 * @throws Error with the code ERR_MODULE_NOT_FOUND while dist has no bundle: `npm run build` makes it.
 */
export async function runBundled(program: 'main' | 'worker' | 'ops' | 'global-entry'): Promise<void> {
  // Otherwise 64 MB of buffers, such as ten bodies of files, are collected together with everything else, several times a second.
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  // Otherwise V8 may put an object of each request among the old ones, which keep all that the request used until old
  // objects are collected: everything then takes up to half as much CPU again, for as long as the process runs.
  setFlagsFromString('--no-allocation-site-pretenuring');
  enableCompileCache(fileURLToPath(new URL('../../.cache', import.meta.url)));
  nameSourcesInTraces();
  await import(new URL(`../../bundle/${program}.js`, import.meta.url).href);
}
