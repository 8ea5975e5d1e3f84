import { load } from './client.js';
import { cpuMicrosBetween, cpuTimesOf } from './cpu.js';
import type { Fixtures, Tenant } from './fixtures.js';
import type { Scenario } from './scenarios.js';
import { quantile, shuffled } from './statistics.js';
import type { Target } from './target.js';

/** One server under one scenario for one round. */
export interface Cell {
  round: number;
  scenario: string;
  target: string;
  connections: number;
  requests: number;
  /** CPU per request in µs. */
  nodeMicros: number;
  postgresMicros: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Plan {
  rounds: number;
  /**
   * Requests in a cell with one connection; fewer than a key may send in a second, because one key sends all of them.
   */
  requests: number;
  /** Requests in a cell with many connections, which finish in half a second or more. */
  manyRequests: number;
  /** Requests to each server in each scenario before the first round. */
  warmUp: number;
}

export const fullPlan: Plan = { rounds: 11, requests: 800, manyRequests: 2_000, warmUp: 20_000 };
export const quickPlan: Plan = { rounds: 4, requests: 250, manyRequests: 250, warmUp: 4_000 };

/** One connection with one key, and many with many. */
const loads = [
  { connections: 1, tokens: 1 },
  { connections: 16, tokens: 20 },
];

export type Tenants = Record<Scenario['tenant'], Tenant>;

interface Pair {
  scenario: Scenario;
  target: Target;
}

const askOf = (scenario: Scenario, { asks }: Target): Pick<Scenario, 'status' | 'request'> =>
  asks?.[scenario.name] ?? scenario;

/** Uses keys in turn over the whole run, so that none comes near its limit of a second. */
class TokenTurn {
  private next = 0;

  take(count: number, { tokens }: Tenant): string[] {
    return Array.from({ length: count }, () => tokens[this.next++ % tokens.length] as string);
  }
}

/**
 * Every scenario on every server, each round in a different order. The servers of one scenario directly follow each
 * other, so that other load on the machine affects all of them.
 *
 * @throws Error at the first response with an unexpected status.
 */
export async function measure(
  fixtures: Fixtures,
  targets: readonly Target[],
  scenarios: readonly Scenario[],
  tenants: Tenants,
  plan: Plan,
  say: (line: string) => void,
): Promise<Cell[]> {
  const turn = new TokenTurn();
  const requestsOf = ({ scenario, target }: Pair, tokens: number, count: number): Buffer[] => {
    const tenant = tenants[scenario.tenant];
    const taken = turn.take(tokens, tenant);
    const { request } = askOf(scenario, target);
    return Array.from({ length: count }, (_, index) => request(taken[index % tokens] as string, tenant, index));
  };
  const pairs = scenarios.flatMap((scenario) =>
    targets
      .filter(({ name, asks }) => name === 'service' || scenario.floors.includes(name) || asks?.[scenario.name])
      .map((target) => ({ scenario, target })),
  );
  for (const pair of pairs) {
    const { scenario, target } = pair;
    say(`Warming up ${target.name}: ${scenario.name}`);
    await load(target.port, requestsOf(pair, 20, plan.warmUp), 16, askOf(scenario, target).status);
  }
  const cells: Cell[] = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    say(`Round ${round} of ${plan.rounds}`);
    await fixtures.tidy();
    for (const scenario of shuffled(scenarios)) {
      for (const { connections, tokens } of shuffled(loads)) {
        for (const { target } of shuffled(pairs.filter((pair) => pair.scenario === scenario))) {
          const requests = requestsOf(
            { scenario, target },
            tokens,
            connections === 1 ? plan.requests : plan.manyRequests,
          );
          const before = { node: cpuTimesOf(target.pid), postgres: cpuTimesOf(fixtures.postgresPid) };
          const { wallMs, latenciesMs } = await load(
            target.port,
            requests,
            connections,
            askOf(scenario, target).status,
          );
          cells.push({
            round,
            scenario: scenario.name,
            target: target.name,
            connections,
            requests: requests.length,
            nodeMicros: cpuMicrosBetween(before.node, cpuTimesOf(target.pid)) / requests.length,
            postgresMicros: cpuMicrosBetween(before.postgres, cpuTimesOf(fixtures.postgresPid)) / requests.length,
            requestsPerSecond: (requests.length / wallMs) * 1_000,
            p50Ms: quantile(latenciesMs, 0.5),
            p99Ms: quantile(latenciesMs, 0.99),
          });
        }
      }
    }
  }
  return inOrder(cells, pairs);
}

/** In the order of the scenarios and servers, so that the tables of all runs have the same order. */
function inOrder(cells: readonly Cell[], pairs: readonly { scenario: Scenario; target: Target }[]): Cell[] {
  const rank = ({ scenario, target }: Cell): number =>
    pairs.findIndex((pair) => pair.scenario.name === scenario && pair.target.name === target);
  return cells.toSorted((a, b) => rank(a) - rank(b) || a.connections - b.connections || a.round - b.round);
}
