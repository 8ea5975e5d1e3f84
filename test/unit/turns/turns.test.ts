import { loopTime } from '#loop-time';
import { mapInTurns, ownTurn } from '#turns';

/** How many turns the event loop has had. */
let turns = 0;
let isOver = false;
beforeAll(() => {
  const count = (): void => void ((turns += 1), isOver || setImmediate(count));
  count();
});
afterAll(() => void (isOver = true));

function block(milliseconds: number): void {
  const endsAt = performance.now() + milliseconds;
  while (performance.now() < endsAt);
}

describe('mapInTurns', () => {
  it('maps each item, in order', async () => {
    expect(await mapInTurns([1, 2, 3], (item) => item * 2)).toEqual([2, 4, 6]);
  });

  it('yields the event loop every few milliseconds', async () => {
    const seen = await mapInTurns([1, 2, 3, 4, 5, 6, 7, 8], () => {
      block(3);
      return turns;
    });
    expect(new Set(seen).size).toBeGreaterThanOrEqual(4);
  });

  it('yields it between kinds of work that are each short', async () => {
    await ownTurn();
    const seen: number[] = [];
    for (let kind = 0; kind < 6; kind += 1)
      seen.push(
        ...(await mapInTurns([1, 2], () => {
          block(2);
          return turns;
        })),
      );
    expect(new Set(seen).size).toBeGreaterThanOrEqual(3);
  });

  it('does not change the turn of another organization', async () => {
    loopTime.enter('org_1');
    await mapInTurns([1], () => block(6));
    loopTime.enter('org_2');
    const before = turns;
    expect(await mapInTurns([1, 2], () => turns)).toEqual([before, before]);
  });

  it('shares no turn of the event loop with another', async () => {
    const seen: number[] = [];
    const work = () =>
      mapInTurns([1, 2, 3], () => {
        block(6);
        seen.push(turns);
      });
    await ownTurn();
    await Promise.all([ownTurn().then(work), ownTurn().then(work), ownTurn().then(work)]);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe('ownTurn', () => {
  it('continues for the organization that the loop worked for before', async () => {
    loopTime.enter('org_1');
    const other = new Promise<void>((resolve) => setImmediate(() => resolve(loopTime.enter('org_2'))));
    await Promise.all([ownTurn(), other]);
    expect(loopTime.owner).toBe('org_1');
  });
});
