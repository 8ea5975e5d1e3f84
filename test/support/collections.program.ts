import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

// Prints how often V8 collected everything. It is a program, because V8's flags count for a whole process. There is no such
// program, so only what comes before one is done.
if (process.argv[2]) {
  const built = new URL('../../dist/src/processes/run-bundled.js', import.meta.url).href;
  const { runBundled } = (await import(built)) as { runBundled: (program: string) => Promise<void> };
  await runBundled('none').catch(() => undefined);
}

let count = 0;
const isFull = (entry: PerformanceEntry): boolean =>
  (entry as unknown as { detail: { kind: number } }).detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
new PerformanceObserver((list) => {
  count += list.getEntries().filter(isFull).length;
}).observe({ entryTypes: ['gc'] });

const kept = Array.from({ length: 400_000 }, (_, n) => ({ n, text: `x${n}` }));
const recent: Buffer[] = [];
for (let n = 0; n < 900; n += 1) {
  recent.push(Buffer.alloc(5_000_000));
  if (recent.length > 5) recent.shift();
  await nextTurn();
}
await nextTurn();
process.stdout.write(kept.length > 0 ? String(count) : '');
