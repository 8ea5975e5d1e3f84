import fc from 'fast-check';

/** A small hotel as it should be: rooms by type, and what is known of its stays and blocks. Days count from today. */
export const rooms: Readonly<Record<string, string>> = {
  '101': 'Double',
  '102': 'Double',
  '103': 'Double',
  '1': 'Single',
};
export const plan = { Double: ['101', '102', '103'], Single: ['1'] };
const roomNames = Object.keys(rooms);
const places = [...roomNames, 'Double', 'Single', ''];

export interface ModelStay {
  /** A room, a type, or nothing for the whole hotel. */
  place: string;
  sold: string;
  from: number;
  until: number;
  leftOn?: number;
  status: 'confirmed' | 'cancelled';
  progress: 'not_arrived' | 'checked_in' | 'checked_out' | 'no_show';
  released: boolean;
}

interface ModelBlock {
  room: string;
  from: number;
  until: number;
  ended: boolean;
}

export type Step =
  | { do: 'book'; place: string; from: number; nights: number }
  | { do: 'move'; stay: number; from: number; nights: number; place?: string }
  | { do: 'assign-unit'; stay: number; room: string; force: boolean }
  | { do: 'check-in'; stay: number; early: boolean }
  | { do: 'no-show'; stay: number; release: boolean }
  | { do: 'unassign-unit' | 'check-out' | 'undo-check-out' | 'undo-no-show' | 'cancel' | 'reinstate'; stay: number }
  | { do: 'block'; room: string; from: number; nights: number }
  | { do: 'end-block'; block: number };

type StayStep = Exclude<Step, { do: 'book' | 'block' | 'end-block' }>;

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
  { weight: 2, arbitrary: onStay('assign-unit', { room, force: fc.boolean() }) },
  { weight: 2, arbitrary: onStay('check-in', { early: fc.boolean() }) },
  { weight: 1, arbitrary: onStay('no-show', { release: fc.boolean() }) },
  ...['unassign-unit', 'check-out', 'undo-check-out', 'undo-no-show', 'cancel', 'reinstate'].map((verb) =>
    onStay(verb, {}),
  ),
  { weight: 1, arbitrary: on('block', { room, from, nights }) },
  { weight: 1, arbitrary: on('end-block', { block: fc.nat(2) }) },
);

const isRoom = (place: string): boolean => place in rooms;
export const typeOf = (place: string): string => rooms[place] ?? place;

/** The nights that a stay takes: from, and the day after the last; undefined where it takes none. */
export function nightsOf({ status, released, from: first, until, leftOn }: ModelStay): [number, number] | undefined {
  if (status !== 'confirmed' || released) return undefined;
  return [first, leftOn === undefined ? until : Math.min(until, Math.max(first, leftOn))];
}

export class HotelModel {
  readonly stays: ModelStay[] = [];
  readonly blocks: ModelBlock[] = [];

  /** What the step leads to: OK or the code of its refusal; undefined where nothing is there to do it to. */
  take(asked: Step): string | undefined {
    if (asked.do === 'book') return this.book(asked);
    if (asked.do === 'block') return this.block(asked);
    if (asked.do === 'end-block') return this.endBlock(asked.block);
    const stay = this.stays[asked.stay];
    return stay && this.change(stay, asked);
  }

  private book({ place, from: first, nights: count }: Step & { do: 'book' }): string {
    const stay: ModelStay = {
      place,
      sold: typeOf(place),
      from: first,
      until: first + count,
      status: 'confirmed',
      progress: 'not_arrived',
      released: false,
    };
    const refusal = this.refusalOf(stay);
    if (!refusal) this.stays.push(stay);
    return refusal ?? 'OK';
  }

  private change(stay: ModelStay, asked: StayStep): string {
    const { status, progress, place } = stay;
    const isLive = status === 'confirmed' && ['not_arrived', 'checked_in'].includes(progress);
    const needs = (state: ModelStay['progress'], next: () => string): string => {
      if (status !== 'confirmed') return 'RESERVATION_NOT_CONFIRMED';
      return progress === state ? next() : 'STAY_STATUS';
    };
    const isTooEarly = stay.from > 0;
    switch (asked.do) {
      case 'move': {
        if (!isLive) return 'RESERVATION_NOT_MOVABLE';
        const to = asked.place ?? place;
        if (progress === 'checked_in' && to && !isRoom(to)) return 'UNIT_NOT_ASSIGNED';
        const dates = { from: asked.from, until: asked.from + asked.nights };
        return this.apply(stay, { ...dates, place: to, sold: to === place ? stay.sold : typeOf(to) });
      }
      case 'assign-unit': {
        if (!isLive) return 'RESERVATION_NOT_MOVABLE';
        if (!asked.force && typeOf(asked.room) !== stay.sold) return 'UNIT_OF_ANOTHER_TYPE';
        return this.apply(stay, { place: asked.room });
      }
      case 'unassign-unit':
        if (!isLive) return 'RESERVATION_NOT_MOVABLE';
        if (progress !== 'not_arrived') return 'STAY_STATUS';
        return stay.sold ? this.apply(stay, { place: stay.sold }) : 'UNIT_WITHOUT_TYPE';
      case 'check-in':
        return needs('not_arrived', () => {
          if (isTooEarly && !asked.early) return 'STAY_NOT_YET_DUE';
          return place && !isRoom(place) ? 'UNIT_NOT_ASSIGNED' : this.apply(stay, { progress: 'checked_in' });
        });
      case 'check-out':
        return needs('checked_in', () => this.apply(stay, { progress: 'checked_out', leftOn: 0 }));
      case 'undo-check-out':
        return needs('checked_out', () => this.back(stay, { progress: 'checked_in', leftOn: undefined }));
      case 'no-show':
        return needs('not_arrived', () =>
          isTooEarly ? 'STAY_NOT_YET_DUE' : this.apply(stay, { progress: 'no_show', released: asked.release }),
        );
      case 'undo-no-show':
        return needs('no_show', () => this.back(stay, { progress: 'not_arrived', released: false }));
      case 'cancel':
        if (status !== 'confirmed' || !['not_arrived', 'no_show'].includes(progress))
          return 'RESERVATION_NOT_CANCELLABLE';
        return this.apply(stay, { status: 'cancelled' });
      case 'reinstate':
        if (status !== 'cancelled') return 'RESERVATION_STATUS';
        return this.back(stay, { status: 'confirmed', progress: 'not_arrived', released: false });
    }
  }

  private back(stay: ModelStay, changes: Partial<ModelStay>): string {
    return this.apply(stay, changes) === 'OK' ? 'OK' : 'NIGHTS_TAKEN';
  }

  private apply(stay: ModelStay, changes: Partial<ModelStay>): string {
    const wanted = { ...stay, ...changes };
    const [before, after] = [nightsOf(stay), nightsOf(wanted)];
    const isAsBooked = wanted.place === stay.place && wanted.from === stay.from && wanted.until === stay.until;
    const givesBack = isAsBooked && (!after || (before && after[1] <= before[1]));
    const refusal = givesBack ? undefined : this.refusalOf(wanted, stay);
    if (!refusal) Object.assign(stay, wanted);
    return refusal ?? 'OK';
  }

  private refusalOf(wanted: ModelStay, stay?: ModelStay): string | undefined {
    const span = nightsOf(wanted);
    if (!span || span[0] >= span[1]) return undefined;
    const { place } = wanted;
    const others = this.stays.filter((other) => other !== stay);
    const meets = others.some((other) => {
      const theirs = nightsOf(other);
      const isAtPlace = !place || !other.place || (isRoom(place) && place === other.place);
      return isAtPlace && theirs && theirs[0] < span[1] && span[0] < theirs[1];
    });
    if (meets) return 'RESERVATION_OVERLAP';
    if (!place) return undefined;
    if (this.blocks.some((one) => one.room === place && one.from < span[1] && span[0] < one.until))
      return 'UNIT_BLOCKED';
    const type = typeOf(place);
    const held = stay && typeOf(stay.place) === type ? nightsOf(stay) : undefined;
    for (let night = span[0]; night < span[1]; night += 1)
      if (!(held && held[0] <= night && night < held[1]) && this.isOver(type, night, others, 1))
        return 'UNIT_TYPE_FULL';
    return undefined;
  }

  /** Whether a type would have more stays than units on a night, with some more stays or one more blocked room. */
  private isOver(type: string, night: number, stays: readonly ModelStay[], more: number, blocked?: string): boolean {
    const isOn = (one: { from: number; until: number }): boolean => one.from <= night && night < one.until;
    const taken = stays.filter((stay) => {
      const span = nightsOf(stay);
      return stay.place && typeOf(stay.place) === type && span && isOn({ from: span[0], until: span[1] });
    });
    const units = roomNames.filter((name) => {
      const isBlocked = name === blocked || this.blocks.some((one) => one.room === name && isOn(one));
      return rooms[name] === type && (!isBlocked || taken.some(({ place }) => place === name));
    });
    return taken.length + more > units.length;
  }

  private block({ room: name, from: first, nights: count }: Step & { do: 'block' }): string {
    const [start, until] = [Math.max(0, first), first + count];
    const block = { room: name, from: first, until, ended: false };
    const meets = this.stays.some((stay) => {
      const span = nightsOf(stay);
      const isThere = stay.place === name || !stay.place;
      return isThere && stay.progress !== 'checked_out' && span && span[0] < until && start < span[1];
    });
    if (start < until) {
      if (meets) return 'RESERVATION_OVERLAP';
      for (let night = start; night < until; night += 1)
        if (this.isOver(typeOf(name), night, this.stays, 0, name)) return 'UNIT_TYPE_FULL';
    }
    this.blocks.push(block);
    return 'OK';
  }

  private endBlock(position: number): string | undefined {
    const block = this.blocks[position];
    if (!block) return undefined;
    if (!block.ended) Object.assign(block, { ended: true, until: Math.max(block.from, Math.min(block.until, 0)) });
    return 'OK';
  }
}
