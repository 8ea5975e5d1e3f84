import { refusedAt } from '../../../src/platform/health/shed-owners.js';

const recent = new Map([
  ['small', 5],
  ['attacker', 600],
  ['large', 300],
  ['medium', 95],
]);

it.each([
  [0, []],
  [1, ['attacker']],
  [2, ['attacker', 'large']],
  [3, ['attacker', 'large']],
])('at level %i rejects those who used most of the time: %j', (level, refused) => {
  expect([...refusedAt(level, recent)]).toEqual(refused);
});

it('rejects nobody who used less than an equal part, however late the loop is', () => {
  expect([...refusedAt(3, new Map([...recent, ['attacker', 0]]))]).toEqual(['large']);
});

it('rejects an owner that is the only load', () => {
  expect([...refusedAt(1, new Map([['only', 3]]))]).toEqual(['only']);
});

it('rejects nobody if nothing is known', () => {
  expect([...refusedAt(3, new Map())]).toEqual([]);
});
