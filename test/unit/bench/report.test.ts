import { costlier, linesOf } from '../../../bench/report.js';
import type { Cell } from '../../../bench/rounds.js';

const cell = (target: string, round: number, slowness: number, nodeMicros: number): Cell => ({
  round,
  scenario: 'list',
  target,
  connections: 16,
  requests: 100,
  nodeMicros: slowness * nodeMicros,
  postgresMicros: slowness * 100,
  requestsPerSecond: 1_000,
  p50Ms: 1,
  p99Ms: 2,
});

/** The machine is three times as slow in the second round, for both servers. */
const cells = (service: number): Cell[] =>
  [1, 3, 1].flatMap((slowness, round) => [
    cell('service', round, slowness, service),
    cell('floor', round, slowness, 100),
  ]);

const linesWith = (service: number) => linesOf(cells(service), () => 'floor');

it('compares round by round, so that a slow round does not change a ratio', () => {
  const line = linesWith(200).find(({ target }) => target === 'service');
  expect(line?.nodeRatio.median).toBe(2);
  expect(line?.sumRatio.median).toBe(1.5);
  expect(line?.sumRatio.q1).toBe(1.5);
});

it('names what costs more than in the other build, in most rounds', () => {
  expect(costlier(linesWith(100))).toEqual([]);
  expect(costlier(linesWith(50))).toEqual([]);
  expect(costlier(linesWith(120))).toEqual([
    'list, 16 connections: 1.10 (1.10–1.10) of the CPU that the other build takes',
  ]);
  const mixed = [150, 90, 80].flatMap((service, round) => [
    cell('service', round, 1, service),
    cell('floor', round, 1, 100),
  ]);
  expect(costlier(linesOf(mixed, () => 'floor'))).toEqual([]);
});
