import fc from 'fast-check';

/** A small hotel: its rooms by type. */
export const rooms: Readonly<Record<string, string>> = {
  '101': 'Double',
  '102': 'Double',
  '103': 'Double',
  '1': 'Single',
};
export const plan = { Double: ['101', '102', '103'], Single: ['1'] };
export const roomNames = Object.keys(rooms);
const places = [...roomNames, 'Double', 'Single', ''];

export type Step =
  | { do: 'book'; place: string; from: number; nights: number }
  | { do: 'day-use'; place: string; from: number; hour: number }
  | { do: 'move'; stay: number; from: number; nights: number; place?: string }
  | { do: 'change-room'; stay: number; room: string; from: number }
  | { do: 'assign-unit'; stay: number; room: string; force: boolean }
  | { do: 'check-in'; stay: number; early: boolean }
  | { do: 'no-show'; stay: number; release: boolean }
  | { do: 'unassign-unit' | 'check-out' | 'undo-check-out' | 'undo-no-show' | 'cancel' | 'reinstate'; stay: number }
  | { do: 'block'; room: string; from: number; nights: number }
  | { do: 'end-block'; block: number }
  | { do: 'import'; name: number; room: string; from: number; nights: number; status: 'confirmed' | 'cancelled' };

export type StayStep = Extract<Step, { stay: number }>;

/** The length of a day use in hours. */
export const dayUseHours = 3;

const from = fc.integer({ min: -1, max: 4 });
const nights = fc.integer({ min: 1, max: 3 });
const index = fc.nat(5);
const onStay = <T extends object>(verb: string, more: T) =>
  fc.record({ do: fc.constant(verb), stay: index, ...more }) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>;
const on = <T extends object>(verb: string, more: T) =>
  fc.record({ do: fc.constant(verb), ...more }) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>;
const room = fc.constantFrom(...roomNames);

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: on('book', { place: fc.constantFrom(...places, 'Double'), from, nights }) },
  { weight: 2, arbitrary: onStay('move', { from, nights }) },
  { weight: 1, arbitrary: onStay('move', { from, nights, place: fc.constantFrom(...places.filter(Boolean)) }) },
  {
    weight: 1,
    arbitrary: on('day-use', { place: fc.constantFrom(...roomNames, ''), from, hour: fc.constantFrom(8, 10, 12) }),
  },
  { weight: 2, arbitrary: onStay('change-room', { room, from }) },
  { weight: 2, arbitrary: onStay('assign-unit', { room, force: fc.boolean() }) },
  { weight: 2, arbitrary: onStay('check-in', { early: fc.boolean() }) },
  { weight: 1, arbitrary: onStay('no-show', { release: fc.boolean() }) },
  ...['unassign-unit', 'check-out', 'undo-check-out', 'undo-no-show', 'cancel', 'reinstate'].map((verb) =>
    onStay(verb, {}),
  ),
  { weight: 1, arbitrary: on('block', { room, from, nights }) },
  {
    weight: 2,
    arbitrary: on('import', {
      name: fc.nat(2),
      room,
      from,
      nights,
      status: fc.constantFrom('confirmed', 'confirmed', 'cancelled'),
    }),
  },
  { weight: 1, arbitrary: on('end-block', { block: fc.nat(2) }) },
);
