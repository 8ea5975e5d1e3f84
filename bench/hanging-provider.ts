import { setTimeout as wait } from 'node:timers/promises';
import { httpRequest, load } from './client.js';
import type { Tenant } from './fixtures.js';
import { textTable } from './report.js';
import { median, quantile, shuffled, spreadOf } from './statistics.js';

/** No command, one to each of 16 locks, or 16 to one of them, which wait for each other. */
const cases = ['none', 'each', 'one'] as const;
type Case = (typeof cases)[number];

/** Lists of one organization in one round, while another organization's locks hang or are unused. */
export interface HangingCell {
  round: number;
  connections: number;
  hanging: Case;
  p50Ms: number;
  p99Ms: number;
}

const rounds = 7;
/** Few enough to finish before a hanging command of 15 s ends. */
const loads = [
  { connections: 1, requests: 600 },
  { connections: 16, requests: 3_000 },
];
const warmUp = 1_000;
/** Each has two locks, and a lock takes one command at a time. */
const deviceConnections = 8;
const lookEveryMs = 200;
/** What follows the start or the end of commands, such as events, is complete by then; before a quiet cell as well. */
const restMs = 1_000;

/**
 * The duration of lists of other organizations while a provider of devices hangs, compared with the quiet case: with 16
 * lockDevice commands to as many locks or to one, and none. Each round contains all three, for 1 and for 16
 * connections, in a different order.
 *
 * @throws Error when a command ended before the lists did, or a response has an unexpected status.
 */
export async function measureHangingProvider(
  port: number,
  { reader, writer }: { reader: Tenant; writer: Tenant },
  say: (line: string) => void,
): Promise<HangingCell[]> {
  const owner = { headers: { Authorization: `Bearer ${writer.tokens[0]}`, 'Content-Type': 'application/json' } };
  const api = `http://127.0.0.1:${port}/api/v1`;
  const dataOf = async (path: string, init?: RequestInit): Promise<{ id: string }[]> => {
    const answer = await fetch(`${api}${path}`, { ...owner, ...init });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return [((await answer.json()) as { data: { id: string } | { id: string }[] }).data].flat();
  };
  const openCommands = async (): Promise<number> => {
    const [sent, queued] = await Promise.all(
      ['sent', 'queued'].map((status) => dataOf(`/device-commands?status=${status}&limit=100`)),
    );
    return [sent, queued].flat().length;
  };
  const until = async (count: number): Promise<void> => {
    while ((await openCommands()) !== count) await wait(lookEveryMs);
  };
  const list = (connections: number, count: number) => {
    const request = (index: number) =>
      httpRequest('GET /api/v1/tasks', { token: reader.tokens[index % reader.tokens.length] });
    return load(
      port,
      Array.from({ length: count }, (_, index) => request(index)),
      connections,
      200,
    );
  };

  const body = JSON.stringify({
    provider: 'simulator',
    kind: 'device',
    name: 'Hangs',
    settings: { behaviour: { 'sim-lock-1': 'slow', 'sim-lock-2': 'slow' } },
  });
  for (let made = 0; made < deviceConnections; made += 1) await dataOf('/connections', { method: 'POST', body });
  const locks = await dataOf('/devices?type=lock&limit=100');
  const targets = { none: [], each: locks, one: locks.map(() => locks[0]) } as Record<Case, typeof locks>;
  await list(16, warmUp);

  const cells: HangingCell[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`Hanging provider, round ${round} of ${rounds}`);
    const turns = loads.flatMap((one) => cases.map((hanging) => ({ ...one, hanging })));
    for (const { connections, requests, hanging } of shuffled(turns)) {
      const commands = targets[hanging].map(({ id }) => dataOf(`/devices/${id}/lock`, { method: 'POST' }));
      await until(commands.length);
      await wait(restMs);
      const { latenciesMs } = await list(connections, requests);
      if ((await openCommands()) !== commands.length) throw new Error('A command ended while the lists were measured');
      cells.push({
        round,
        connections,
        hanging,
        p50Ms: quantile(latenciesMs, 0.5),
        p99Ms: quantile(latenciesMs, 0.99),
      });
      await Promise.all(commands);
      // Waiting commands are rejected at their turn, which is sooner than they would be carried out.
      if (hanging === 'one') await dataOf(`/devices/${locks[0]?.id}/archive`, { method: 'POST' });
      await until(0);
      if (hanging === 'one') await dataOf(`/devices/${locks[0]?.id}/restore`, { method: 'POST' });
    }
  }
  return cells;
}

/** A line for each number of connections and each case of hanging: medians, and ratios of a round's hanging list to its quiet one. */
export function hangingTable(cells: readonly HangingCell[]): string {
  const lines = loads.flatMap((one) => cases.slice(1).map((hanging) => ({ ...one, hanging })));
  const rows = lines.map(({ connections, hanging }) => {
    const own = cells.filter((cell) => cell.connections === connections);
    const columns = (['p50Ms', 'p99Ms'] as const).flatMap((figure) => {
      const [quiet, busy] = (['none', hanging] as const).map((one) =>
        own.filter((cell) => cell.hanging === one).map((cell) => cell[figure]),
      ) as [number[], number[]];
      const { q1, median: middle, q3 } = spreadOf(busy.map((ms, round) => ms / (quiet[round] as number)));
      const ratio = `${middle.toFixed(2)} (${q1.toFixed(2)}–${q3.toFixed(2)})`;
      return [median(quiet).toFixed(2), median(busy).toFixed(2), ratio];
    });
    return [String(connections), hanging, ...columns];
  });
  const head = ['conns', 'to', 'p50 quiet ms', 'hanging ms', 'ratio', 'p99 quiet ms', 'hanging ms', 'ratio'];
  return textTable([head, ...rows]);
}
