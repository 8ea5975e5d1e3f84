/**
 * What the global entry adds to a request: `node dist/bench/entry.js`. The same tool call is sent to a cell and,
 * alternately, through the entry to that cell, one at a time over a kept connection.
 */
import { fileURLToPath } from 'node:url';
import { load } from './client.js';
import { prepareFixtures } from './fixtures.js';
import { textTable } from './report.js';
import { mcpRequest } from './scenarios.js';
import { quantile } from './statistics.js';
import { startTarget } from './target.js';

const rounds = 7;
const callsPerRound = 500;

const entryProgram = fileURLToPath(new URL('../src/processes/global-entry/main.js', import.meta.url));

const fixtures = await prepareFixtures();
const { tokens } = await fixtures.addTenant(1_000);
const cell = await startTarget('service', fixtures);
const entry = await startTarget('entry', fixtures, entryProgram, [], {
  REGION_URLS: `us=http://localhost:${cell.port}`,
  LOG_LEVEL: 'info',
});
try {
  const calls = Array.from({ length: callsPerRound }, (_, index) =>
    mcpRequest(tokens[index % tokens.length] as string, 'tools/call', { name: 'listTasks', arguments: {} }),
  );
  const seen = new Map([cell, entry].map((target) => [target, [] as number[][]]));
  // The first round warms both up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const target of round % 2 ? [cell, entry] : [entry, cell]) {
      const { latenciesMs } = await load(target.port, calls, 1, 200);
      if (round > 0) seen.get(target)?.push(latenciesMs);
    }
  }
  const rows = [0.5, 0.9, 0.99].map((share) => {
    const [direct, through] = [cell, entry].map((target) =>
      (seen.get(target) ?? []).map((all) => quantile(all, share)),
    );
    const added = (through ?? []).map((value, round) => value - (direct?.[round] ?? 0));
    return [`p${share * 100}`, ...[direct, through, added].map((values) => quantile(values ?? [], 0.5).toFixed(2))];
  });
  process.stdout.write(`${textTable([['', 'cell, ms', 'through the entry, ms', 'added, ms'], ...rows])}\n`);
} finally {
  await entry.stop();
  await cell.stop();
  await fixtures.remove();
}
