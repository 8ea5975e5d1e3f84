import v8 from 'node:v8';

// Prints how many bytes V8 puts among old objects for 20,000 short-lived ones, after many like them lived long. It is a
// program, because V8's flags count for a whole process. There is no such program, so only what comes before one is done.
if (process.argv[2]) {
  const built = new URL('../../dist/src/processes/run-bundled.js', import.meta.url).href;
  const { runBundled } = (await import(built)) as { runBundled: (program: string) => Promise<void> };
  await runBundled('none').catch(() => undefined);
}

const make = (n: number): object => ({ n, list: [n, n + 1] });

const longLived: object[] = [];
for (let n = 0; n < 3_000_000; n += 1) longLived[n % 400_000] = make(n);

function oldBytesOf(count: number): number {
  const used = (): number =>
    v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;
  const before = used();
  let last: object = {};
  for (let n = 0; n < count; n += 1) last = make(n);
  return used() - before + (Object.keys(last).length - 2);
}

oldBytesOf(20_000);
process.stdout.write(String(oldBytesOf(20_000)));
