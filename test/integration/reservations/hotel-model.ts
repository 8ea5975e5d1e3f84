import { dayUseHours, rooms, roomNames, type Step, type StayStep } from './hotel-steps.js';

/** The expected hotel: its known stays and blocks. Days count from today. */
interface Room {
  place: string;
  from: number;
}

interface Segment extends Room {
  until: number;
}

export interface ModelStay {
  /** A room, a type, or nothing for the whole hotel; its current place. */
  place: string;
  sold: string;
  /** All its rooms, if it changed them in house. */
  rooms: Room[];
  from: number;
  until: number;
  /** When a day use starts. */
  hour?: number;
  leftOn?: number;
  /** When the guests of a day use left, in hours of its day. */
  leftAt?: number;
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

const isRoom = (place: string): boolean => place in rooms;
const typeOf = (place: string): string => rooms[place] ?? place;
/** The type that was sold; a stay of the whole hotel that was given a room counts as sold as one. */
const soldAs = ({ sold, place }: ModelStay): string => sold || typeOf(place);
const isDayUse = ({ from, until }: ModelStay): boolean => from === until;
const isOn = ({ from, until }: { from: number; until: number }, night: number): boolean =>
  from <= night && night < until;
const meet = (one: { from: number; until: number }, other: { from: number; until: number }): boolean =>
  one.from < other.until && other.from < one.until;

/** The nights that a stay takes: the first, and the day after the last; undefined if it takes none. */
export function nightsOf(stay: ModelStay): [number, number] | undefined {
  const { status, released, from: first, until, leftOn } = stay;
  if (status !== 'confirmed' || released || isDayUse(stay)) return undefined;
  return [first, leftOn === undefined ? until : Math.min(until, Math.max(first, leftOn))];
}

export function segmentsOf(stay: ModelStay): Segment[] {
  const nights = nightsOf(stay);
  if (!nights) return [];
  const places = stay.rooms.length > 0 ? stay.rooms : [{ place: stay.place, from: nights[0] }];
  return places
    .map(({ place, from }, index) => ({
      place,
      from: index > 0 ? Math.max(from, nights[0]) : nights[0],
      until: Math.min(nights[1], places[index + 1]?.from ?? nights[1]),
    }))
    .filter(({ from, until }) => from < until);
}

const roomsOf = ({ rooms, place, from }: ModelStay): readonly Room[] => (rooms.length > 0 ? rooms : [{ place, from }]);

/** The room of a stay on a day. */
function roomOn(known: readonly Room[], on: number): Room | undefined {
  const next = known.findIndex(({ from }, index) => index > 0 && from > on);
  return next > 0 ? known[next - 1] : known.at(-1);
}

/** What a stay takes that another one may want, as a text. */
function claimOf(stay: ModelStay): string {
  const { status, released, from, until, hour, place } = stay;
  if (status !== 'confirmed' || released) return '';
  const hours = isDayUse(stay) ? [hour, hourEndOf(stay), isRoom(place) && place] : [];
  return JSON.stringify([from, until, segmentsOf(stay), ...hours]);
}

const dayOf = ({ place, from }: ModelStay): Segment => ({ place, from, until: from + 1 });

/** Where a block would be in the way of a stay. */
function daysOf(stay: ModelStay): Segment[] {
  const takesHours = isDayUse(stay) && stay.status === 'confirmed' && !stay.released;
  return takesHours ? [dayOf(stay)] : segmentsOf(stay);
}

const hourEndOf = ({ hour = 0, leftAt = Infinity }: ModelStay): number => Math.min(hour + dayUseHours, leftAt);

function givesBack(before: ModelStay, after: ModelStay): boolean {
  const isAsBooked = (['from', 'until', 'status'] as const).every((name) => before[name] === after[name]);
  const isHeld = (one: Segment): boolean =>
    segmentsOf(before).some((held) => held.place === one.place && held.from <= one.from && held.until >= one.until);
  if (isDayUse(after)) return isAsBooked && before.place === after.place && hourEndOf(after) <= hourEndOf(before);
  return isAsBooked && segmentsOf(after).every(isHeld);
}

export class HotelModel {
  readonly stays: ModelStay[] = [];
  readonly blocks: ModelBlock[] = [];
  /** What another system sends, by its names. */
  readonly imports = new Map<number, ModelStay>();

  /** The expected result: OK or the code of its error; undefined if there is nothing to do it to. */
  take(asked: Step): string | undefined {
    if (asked.do === 'book') return this.book(newStay(asked.place, asked.from, asked.from + asked.nights));
    if (asked.do === 'day-use') return this.book({ ...newStay(asked.place, asked.from, asked.from), hour: asked.hour });
    if (asked.do === 'block') return this.block(asked);
    if (asked.do === 'end-block') return this.endBlock(asked.block);
    if (asked.do === 'import') return this.import(asked);
    const stay = this.stays[asked.stay];
    return stay && this.change(stay, asked);
  }

  /** Another system is never rejected. */
  private import({ name, room, from, nights, status }: Extract<Step, { do: 'import' }>): string {
    this.imports.set(name, { ...newStay(room, from, from + nights), status });
    return 'OK';
  }

  private book(stay: ModelStay): string {
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
        if (to !== place) return this.apply(stay, { ...dates, place: to, sold: typeOf(to), rooms: [] });
        const within = stay.rooms.filter((one, index) => index === 0 || one.from < dates.until);
        return this.apply(stay, { ...dates, rooms: within.length > 1 ? within : [] });
      }
      case 'change-room':
        return this.changeRoom(stay, asked);
      case 'assign-unit': {
        if (!isLive) return 'RESERVATION_NOT_MOVABLE';
        if (!asked.force && typeOf(asked.room) !== soldAs(stay)) return 'UNIT_OF_ANOTHER_TYPE';
        if (progress === 'checked_in' && isRoom(place))
          return place === asked.room ? 'OK' : this.inRoom(stay, asked.room, 0);
        return this.apply(stay, { place: asked.room, rooms: [] });
      }
      case 'unassign-unit':
        if (!isLive) return 'RESERVATION_NOT_MOVABLE';
        if (progress !== 'not_arrived') return 'STAY_STATUS';
        return soldAs(stay) ? this.apply(stay, { place: soldAs(stay), rooms: [] }) : 'UNIT_WITHOUT_TYPE';
      case 'check-in':
        return needs('not_arrived', () => {
          if (isTooEarly && !asked.early) return 'STAY_NOT_YET_DUE';
          return place && !isRoom(place) ? 'UNIT_NOT_ASSIGNED' : this.apply(stay, { progress: 'checked_in' });
        });
      case 'check-out':
        return needs('checked_in', () =>
          this.apply(stay, { progress: 'checked_out', leftOn: 0, leftAt: hourNow() - 24 * stay.from }),
        );
      case 'undo-check-out':
        return needs('checked_out', () =>
          this.back(stay, { progress: 'checked_in', leftOn: undefined, leftAt: undefined }),
        );
      case 'no-show':
        return needs(asked.release && progress === 'no_show' ? progress : 'not_arrived', () =>
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

  /** Another room from a night on. */
  private changeRoom(stay: ModelStay, { room, from }: { room: string; from: number }): string {
    const isInHouse = stay.status === 'confirmed' && stay.progress === 'checked_in' && isRoom(stay.place);
    if (!isInHouse || from < 0 || from >= stay.until) return 'MOVE_FROM_IMPOSSIBLE';
    return roomOn(roomsOf(stay), from)?.place === room ? 'OK' : this.inRoom(stay, room, from);
  }

  private inRoom(stay: ModelStay, room: string, from: number): string {
    const since = Math.max(from, stay.from);
    const earlier = roomsOf(stay).filter((one) => one.from < since);
    const next = earlier.at(-1)?.place === room ? earlier : [...earlier, { place: room, from: since }];
    return this.apply(stay, { rooms: next.length > 1 ? next : [], place: (roomOn(next, 0) as Room).place });
  }

  private apply(stay: ModelStay, changes: Partial<ModelStay>): string {
    const wanted = { ...stay, ...changes };
    const takes = claimOf(wanted) !== claimOf(stay) && !givesBack(stay, wanted);
    const refusal = takes ? this.refusalOf(wanted, stay) : undefined;
    if (!refusal) Object.assign(stay, wanted);
    return refusal ?? 'OK';
  }

  private refusalOf(wanted: ModelStay, stay?: ModelStay): string | undefined {
    if (wanted.status !== 'confirmed' || wanted.released) return undefined;
    const others = this.all.filter((other) => other !== stay);
    if (others.some((other) => (isDayUse(wanted) ? crosses(wanted, other) : shares(wanted, other))))
      return 'RESERVATION_OVERLAP';
    if (isDayUse(wanted)) return this.isBlocked(dayOf(wanted)) ? 'UNIT_BLOCKED' : undefined;
    for (const segment of segmentsOf(wanted)) {
      const refusal = this.refusalIn(segment, others, stay ? segmentsOf(stay) : []);
      if (refusal) return refusal;
    }
    return undefined;
  }

  private refusalIn(segment: Segment, others: readonly ModelStay[], before: readonly Segment[]): string | undefined {
    const { place, from, until } = segment;
    if (!place) return undefined;
    if (this.isBlocked(segment)) return 'UNIT_BLOCKED';
    const held = before.filter((one) => typeOf(one.place) === typeOf(place));
    for (let night = from; night < until; night += 1)
      if (!held.some((one) => isOn(one, night)) && this.isOver(typeOf(place), night, others, 1))
        return 'UNIT_TYPE_FULL';
    return undefined;
  }

  private isBlocked(segment: Segment): boolean {
    return this.blocks.some((one) => one.room === segment.place && one.from < one.until && meet(one, segment));
  }

  private get all(): ModelStay[] {
    return [...this.stays, ...this.imports.values()];
  }

  /** Whether a type would have more stays than units on a night, with some more stays or one more blocked room. */
  private isOver(type: string, night: number, stays: readonly ModelStay[], more: number, blocked?: string): boolean {
    const taken = stays.flatMap((stay) =>
      segmentsOf(stay).filter((one) => one.place && typeOf(one.place) === type && isOn(one, night)),
    );
    const units = roomNames.filter((name) => {
      const isBlocked = name === blocked || this.blocks.some((one) => one.room === name && isOn(one, night));
      return rooms[name] === type && (!isBlocked || taken.some(({ place }) => place === name));
    });
    return taken.length + more > units.length;
  }

  private block({ room: name, from: first, nights: count }: Step & { do: 'block' }): string {
    const [start, until] = [Math.max(0, first), first + count];
    const block = { room: name, from: first, until, ended: false };
    const meets = this.all.some(
      (stay) =>
        stay.progress !== 'checked_out' &&
        daysOf(stay).some((one) => (one.place === name || !one.place) && meet(one, { from: start, until })),
    );
    if (start < until) {
      if (meets) return 'RESERVATION_OVERLAP';
      for (let night = start; night < until; night += 1)
        if (this.isOver(typeOf(name), night, this.all, 0, name)) return 'UNIT_TYPE_FULL';
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

const hourNow = (): number => (Date.now() % 86_400_000) / 3_600_000;

const newStay = (place: string, from: number, until: number): ModelStay => ({
  place,
  sold: typeOf(place),
  rooms: [],
  from,
  until,
  status: 'confirmed',
  progress: 'not_arrived',
  released: false,
});

/** Whether two stays have the same room, or one the whole hotel, on a night. */
const shares = (one: ModelStay, other: ModelStay): boolean =>
  segmentsOf(one).some((mine) =>
    segmentsOf(other).some(
      (theirs) =>
        meet(mine, theirs) && (!mine.place || !theirs.place || (isRoom(mine.place) && mine.place === theirs.place)),
    ),
  );

/** Whether two day uses of the same place overlap. */
function crosses(one: ModelStay, other: ModelStay): boolean {
  if (!isDayUse(other) || other.status !== 'confirmed' || other.released) return false;
  const isAtPlace = one.place === other.place && (isRoom(one.place) || !one.place);
  const meets = (one.hour as number) < hourEndOf(other) && hourEndOf(one) > (other.hour as number);
  return isAtPlace && one.from === other.from && meets;
}
