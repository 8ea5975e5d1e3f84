import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { ahead, lateLoop, loopTime } from '#loop-time';
import { giveWay, ownTurn, requestsInProgress } from '#turns';

const owner = 'org_attacker';
const late = { isLate: true };
let end: () => void;
beforeEach(() => {
  late.isLate = true;
  jest.spyOn(lateLoop, 'isLate', 'get').mockImplementation(() => late.isLate);
  jest.spyOn(ahead, 'has').mockImplementation((other: string) => other === owner);
  end = requestsInProgress.begin('org_victim');
});
afterEach(() => {
  end();
  jest.restoreAllMocks();
});

/** Whether work takes longer than it would if it gave way to nobody, whose turn would be the next or the one after it. */
async function givesWay(work: () => Promise<void>): Promise<boolean> {
  let isOver = false;
  const working = work().then(() => (isOver = true));
  for (let turn = 0; turn < 3; turn += 1) await turnOfTheLoop();
  const gaveWay = !isOver;
  await working;
  return gaveWay;
}

it('lets requests of others go first while the loop is late', async () => {
  expect(await givesWay(() => giveWay(owner))).toBe(true);
});

it('waits for nobody while the loop is on time', async () => {
  late.isLate = false;
  expect(await givesWay(() => giveWay(owner))).toBe(false);
});

it('waits for nobody if others have no request in progress', async () => {
  end();
  const own = requestsInProgress.begin(owner);
  expect(await givesWay(() => giveWay(owner))).toBe(false);
  own();
});

it('lets nobody wait who did not use most of the loop', async () => {
  expect(await givesWay(() => giveWay('org_other'))).toBe(false);
  expect(await givesWay(() => giveWay(undefined))).toBe(false);
});

it('is what long work does before each of its turns', async () => {
  loopTime.enter(owner);
  expect(await givesWay(ownTurn)).toBe(true);
  expect(loopTime.owner).toBe(owner);
});
