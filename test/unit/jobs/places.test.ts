import { Places } from '../../../libs/jobs/places.js';

/** How many places each of these gets when all of them take what they may, in turn. */
function filled(all: number, owners: readonly (string | undefined)[]): number[] {
  const places = new Places(all);
  const taken = owners.map(() => 0);
  for (let isAnyTaken = true; isAnyTaken;) {
    isAnyTaken = false;
    owners.forEach((owner, index) => {
      if (!places.mayTake(owner)) return;
      places.take(owner);
      taken[index] = (taken[index] as number) + 1;
      isAnyTaken = true;
    });
  }
  return taken;
}

it.each([
  [['a'], [16]],
  [
    ['a', 'b'],
    [11, 11],
  ],
  [
    ['a', 'b', 'c'],
    [8, 8, 8],
  ],
  [
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    [4, 4, 4, 4, 4, 4, 4],
  ],
])('leave as many of 32 places free as each of %j has', (owners, expected) => {
  expect(filled(32, owners)).toEqual(expected);
});

it('let one that is late have a place however early the others came', () => {
  const places = new Places(8);
  while (places.mayTake('first')) places.take('first');
  while (places.mayTake('second')) places.take('second');
  expect(places.mayTake('third')).toBe(true);
});

it('let a lane of one place be used', () => {
  expect(filled(1, ['a'])).toEqual([1]);
});

it('may be taken again once they are left', () => {
  const places = new Places(8);
  while (places.mayTake('a')) places.take('a');
  places.leave('a');
  expect(places.mayTake('a')).toBe(true);
  places.take('a');
  expect(places.mayTake('a')).toBe(false);
});

it('bind nobody whose work belongs to no organization', () => {
  const places = new Places(2);
  for (let taken = 0; taken < 2; taken += 1) {
    expect(places.mayTake(undefined)).toBe(true);
    places.take(undefined);
  }
  places.leave(undefined);
  expect(places.mayTake('a')).toBe(true);
});
