/** Prints the size of V8's young generation in bytes, after much lived through its collections, as while the service loads. */
import { getHeapSpaceStatistics } from 'node:v8';

const kept: object[] = [];
for (let n = 0; n < 1_000_000; n += 1) kept.push({ n });
if (process.argv[2]) {
  const source = new URL('../../src/processes/memory-of-start.ts', import.meta.url).href;
  const { releaseMemoryOfStart } = (await import(source)) as { releaseMemoryOfStart: () => void };
  releaseMemoryOfStart();
}
const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
process.stdout.write(String(young?.space_size));
