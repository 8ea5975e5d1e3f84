import { ahead, lateLoop, loopTime } from '#loop-time';
import { arrivingRequests, giveWay, ownTurn, requestsInProgress } from '#turns';

const owner = 'org_attacker';
const late = { isLate: true };
/** Of the ten of a pause; a timer may be a moment early. */
const pauseMs = 8;
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

/** Whether work pauses: work that does not is over before the event loop continues, however late it is. */
async function givesWay(work: () => Promise<void>): Promise<boolean> {
  let isOver = false;
  const working = work().then(() => (isOver = true));
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
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

it('delays nobody who did not use most of the loop', async () => {
  expect(await givesWay(() => giveWay('org_other'))).toBe(false);
  expect(await givesWay(() => giveWay(undefined))).toBe(false);
});

it('lets those go first whose credentials are being looked up', async () => {
  end();
  const arrived = arrivingRequests.begin('anybody');
  expect(await givesWay(() => giveWay(owner))).toBe(true);
  arrived();
});

it('pauses for each piece of all works of an owner', async () => {
  const from = performance.now();
  await Promise.all([giveWay(owner), giveWay(owner), giveWay(owner)]);
  expect(performance.now() - from).toBeGreaterThan(3 * pauseMs);
});

it('ends the pauses with the requests of others', async () => {
  const pauses = Array.from({ length: 1_000 }, () => giveWay(owner));
  await pauses[0];
  end();
  await Promise.all(pauses);
}, 5_000);

it('is called by long work before each of its turns', async () => {
  loopTime.enter(owner);
  const from = performance.now();
  await ownTurn();
  expect(performance.now() - from).toBeGreaterThan(pauseMs);
  expect(loopTime.owner).toBe(owner);
});
