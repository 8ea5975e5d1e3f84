import { setTimeout as wait } from 'node:timers/promises';
import { httpRequest, load } from './client.js';
import type { Tenant } from './ground.js';
import { textTable } from './report.js';
import { median, quantile, shuffled, spreadOf } from './statistics.js';

/** Lists of one organization in one round, while the locks of another hang or are left alone. */
export interface HangingCell {
  round: number;
  connections: number;
  hangs: boolean;
  p50Ms: number;
  p99Ms: number;
}

const rounds = 7;
/** Few enough that they are through before a hanging command of 15 s ends. */
const loads = [
  { connections: 1, requests: 600 },
  { connections: 16, requests: 3_000 },
];
const warmUp = 1_000;
/** Each has two locks, and a lock takes one command at a time. */
const deviceConnections = 8;
const lookEveryMs = 200;
/** What follows from the commands' beginning or end, such as events, is over by then; before a quiet cell as well. */
const restMs = 1_000;

/**
 * What lists of the rest take while a provider of devices hangs, beside the quiet case: with 16 lockDevice commands in
 * flight, and none. Each round holds both, for 1 and for 16 connections, in another order.
 *
 * @throws Error when a command ended before the lists did, or an answer has an unexpected status.
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
  const underWay = async (): Promise<number> => (await dataOf('/device-commands?status=sent&limit=100')).length;
  const until = async (count: number): Promise<void> => {
    while ((await underWay()) !== count) await wait(lookEveryMs);
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
  await list(16, warmUp);

  const cells: HangingCell[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`Hanging provider, round ${round} of ${rounds}`);
    const turns = loads.flatMap((one) => [true, false].map((hangs) => ({ ...one, hangs })));
    for (const { connections, requests, hangs } of shuffled(turns)) {
      const commands = hangs ? locks.map(({ id }) => dataOf(`/devices/${id}/lock`, { method: 'POST' })) : [];
      await until(commands.length);
      await wait(restMs);
      const { latenciesMs } = await list(connections, requests);
      if ((await underWay()) !== commands.length) throw new Error('A command ended while the lists were measured');
      cells.push({
        round,
        connections,
        hangs,
        p50Ms: quantile(latenciesMs, 0.5),
        p99Ms: quantile(latenciesMs, 0.99),
      });
      await Promise.all(commands);
      await until(0);
    }
  }
  return cells;
}

/** A line for each number of connections: medians, and ratios of a round's hanging list to its quiet one. */
export function hangingTable(cells: readonly HangingCell[]): string {
  const rows = loads.map(({ connections }) => {
    const own = cells.filter((cell) => cell.connections === connections);
    const columns = (['p50Ms', 'p99Ms'] as const).flatMap((figure) => {
      const quiet = own.filter(({ hangs }) => !hangs).map((cell) => cell[figure]);
      const hanging = own.filter(({ hangs }) => hangs).map((cell) => cell[figure]);
      const { q1, median: middle, q3 } = spreadOf(hanging.map((ms, round) => ms / (quiet[round] as number)));
      const ratio = `${middle.toFixed(2)} (${q1.toFixed(2)}–${q3.toFixed(2)})`;
      return [median(quiet).toFixed(2), median(hanging).toFixed(2), ratio];
    });
    return [String(connections), ...columns];
  });
  const head = ['conns', 'p50 quiet ms', 'hanging ms', 'ratio', 'p99 quiet ms', 'hanging ms', 'ratio'];
  return textTable([head, ...rows]);
}
