import { oneOf, type Random } from '../../faults/random-kills/random.js';

export interface Sizes {
  properties: number;
  /** At each property. */
  rooms: number;
  stays: number;
  changes: number;
}

/** A stay as the vendor has it: each save contains all of it. */
export interface Stay {
  externalId: string;
  sourceVersion: number;
  propertyRef: string;
  unitTypeRef: string;
  unitRef: string | null;
  checkInDate: string;
  checkOutDate: string;
  status: 'confirmed' | 'cancelled';
  channel: string;
  guestCounts: { adults: number };
  primaryGuest: { name: string };
}

const channels = ['direct', 'booking.com', 'expedia', 'phone'];
const names = ['Ana', 'Ben', 'Chidi', 'Dana', 'Élodie', 'Farid', 'Grete', 'Hiro'];
const dayMs = 86_400_000;
/** The interval in days between the stays of one room. */
const rhythm = 4;

/** The vendor's own system: its stays, and their changes. */
export class Pms {
  readonly properties: string[];
  readonly rooms: { externalId: string; propertyRef: string; name: string }[];
  /** Each stay as it is now. */
  readonly stays = new Map<string, Stay>();
  /** Each stay as it was loaded. */
  readonly loaded: Stay[];
  private readonly firstDay = Date.now() + dayMs;

  constructor(
    { properties, rooms, stays }: Sizes,
    private readonly random: Random,
  ) {
    this.properties = Array.from({ length: properties }, (_, index) => `H${index + 1}`);
    this.rooms = this.properties.flatMap((propertyRef) =>
      Array.from({ length: rooms }, (_, index) => {
        const name = String(101 + index);
        return { externalId: `${propertyRef}/${name}`, propertyRef, name };
      }),
    );
    this.loaded = Array.from({ length: stays }, (_, index) => this.booked(index));
    for (const stay of this.loaded) this.stays.set(stay.externalId, stay);
  }

  typeOf = (propertyRef: string): string => `${propertyRef}/DBL`;

  /** The changes of a week, in order: the last change of a stay is its final state. */
  changes(count: number): Stay[] {
    const all = [...this.stays.keys()];
    return Array.from({ length: count }, () => {
      const before = this.stays.get(oneOf(this.random, all)) as Stay;
      const after = { ...before, sourceVersion: before.sourceVersion + 1, ...this.change(before) };
      this.stays.set(after.externalId, after);
      return after;
    });
  }

  private booked(index: number): Stay {
    const { externalId: room, propertyRef } = this.rooms[index % this.rooms.length] as (typeof this.rooms)[number];
    const from = rhythm * Math.floor(index / this.rooms.length);
    return {
      externalId: `B-${index + 1}`,
      sourceVersion: 1,
      propertyRef,
      unitTypeRef: this.typeOf(propertyRef),
      // Some have no room yet.
      unitRef: index % 3 === 0 ? null : room,
      ...this.nights(from, 1 + Math.floor(this.random() * 3)),
      status: 'confirmed',
      channel: oneOf(this.random, channels),
      guestCounts: { adults: 1 + (index % 2) },
      primaryGuest: { name: `${oneOf(this.random, names)} ${index + 1}` },
    };
  }

  private change(stay: Stay): Partial<Stay> {
    const from = Math.round((Date.parse(stay.checkInDate) - this.firstDay) / dayMs);
    const changes: Partial<Stay>[] = [
      this.nights(from + 1 + Math.floor(this.random() * 3), 2),
      { unitRef: oneOf(this.random, this.roomsOf(stay.propertyRef)) },
      { unitRef: null },
      { status: stay.status === 'cancelled' ? 'confirmed' : 'cancelled' },
      { channel: oneOf(this.random, channels), guestCounts: { adults: 3 - stay.guestCounts.adults } },
      { primaryGuest: { name: `${oneOf(this.random, names)} ${stay.externalId}` } },
    ];
    return oneOf(this.random, changes);
  }

  private roomsOf = (propertyRef: string): string[] =>
    this.rooms.filter((room) => room.propertyRef === propertyRef).map(({ externalId }) => externalId);

  private nights(from: number, count: number): Pick<Stay, 'checkInDate' | 'checkOutDate'> {
    const day = (offset: number): string => new Date(this.firstDay + offset * dayMs).toISOString().slice(0, 10);
    return { checkInDate: day(from), checkOutDate: day(from + count) };
  }
}

/** In any order. */
export function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const rest = [...values];
  return values.map(() => rest.splice(Math.floor(random() * rest.length), 1)[0] as T);
}
