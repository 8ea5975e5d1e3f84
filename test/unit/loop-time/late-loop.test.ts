import { LateLoop } from '../../../libs/loop-time/late-loop.js';

let now = 0;
const measured = (loop: LateLoop, afterMs: number): boolean => {
  now += afterMs;
  loop.measure();
  return loop.isLate;
};

let timers: jest.SpyInstance[];
beforeEach(() => {
  now = 0;
  // The test triggers the timer by hand.
  timers = [
    jest.spyOn(globalThis, 'setInterval').mockImplementation(() => ({ unref: () => 'timer' }) as never),
    jest.spyOn(globalThis, 'clearInterval').mockImplementation(() => undefined),
  ];
});
afterEach(() => jest.restoreAllMocks());

it('is late when the timer fires ten milliseconds too late, and for half a second after it', () => {
  const loop = new LateLoop(() => now);
  expect(loop.isLate).toBe(false);
  expect(measured(loop, 19)).toBe(false);
  expect(measured(loop, 20)).toBe(true);
  now += 499;
  expect(loop.isLate).toBe(true);
  now += 1;
  expect(loop.isLate).toBe(false);
});

it('measures each time from the time before', () => {
  const loop = new LateLoop(() => now);
  void loop.isLate;
  expect([15, 15, 15].map((ms) => measured(loop, ms))).toEqual([false, false, false]);
});

it('measures only while somebody asks', () => {
  const [started, ended] = timers;
  const loop = new LateLoop(() => now);
  void loop.isLate;
  now = 999;
  loop.measure();
  expect(ended).not.toHaveBeenCalled();
  now = 1_000;
  loop.measure();
  expect(ended).toHaveBeenCalledWith('timer');
  // Time without a timer does not count.
  now = 60_000;
  void loop.isLate;
  expect(started).toHaveBeenCalledTimes(2);
  expect(measured(loop, 10)).toBe(false);
});
