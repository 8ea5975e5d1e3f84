import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { isCalendarDate } from '#operations';
import type { Explanation, NightsHolder, Option } from '../../../tenancy/stays/explanation.dto.js';
import { dayAfter, dayIn } from '../../../tenancy/stays/local-moments.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import { isDayUse, later, needsOf, segmentsOf } from '../occupancy.js';
import { Reservation } from '../reservation.entity.js';
import type { Clash } from '../reservations.errors.js';
import { StayPlaces } from '../stay-places.js';
import { isLive, isOwnedElsewhere } from '../stay-rules.js';
import { OtherRooms } from './other-rooms.service.js';
import { OtherStays } from './other-stays.service.js';

type Place = Pick<Reservation, 'unitId' | 'unitTypeId'>;
type Dates = Pick<Reservation, 'checkInDate' | 'checkOutDate'>;

interface Asked {
  before?: Reservation | undefined;
  roomFrom?: string | undefined;
}

/** How often the dates are moved on to look for some that fit, in each direction. */
const mostSteps = 4;

/** Says why a stay cannot have its nights, with calls that would succeed now: each is tried before it is offered. */
@Injectable()
export class Explanations {
  constructor(
    private readonly places: StayPlaces,
    private readonly properties: PropertiesService,
    private readonly rooms: OtherRooms,
    private readonly others: OtherStays,
  ) {}

  /**
   * @param before the stay as it is; absent for a new one.
   * @param roomFrom the night from which on guests in house are to have another room.
   */
  async of(caller: Caller, wanted: Reservation, clash: Clash, { before, roomFrom }: Asked = {}): Promise<Explanation> {
    const { propertyId, checkInDate, checkOutDate: until } = wanted;
    const { unitId, unitTypeId } = (roomFrom && wanted.rooms.at(-1)) || wanted;
    const making = 'reservations' in clash && (await this.canGetUnit(wanted, before));
    return {
      wants: { propertyId, unitId, unitTypeId, from: roomFrom ?? checkInDate, until },
      holds: holdersOf(clash),
      options: [
        ...(await this.optionsFor(caller, wanted, clash, { before, roomFrom })),
        ...(making ? await this.others.makingWay(caller, clash.reservations) : []),
      ],
    };
  }

  /** Whether other stays that leave a unit make room for one: not in the whole property, nor where their type is full. */
  private async canGetUnit(wanted: Reservation, before?: Reservation): Promise<boolean> {
    return wanted.unitId !== null && !(await this.places.shortageOf(wanted, before));
  }

  /** What else the stay itself can have; its system decides that of a stay that another one owns. */
  private async optionsFor(
    caller: Caller,
    wanted: Reservation,
    clash: Clash,
    { before, roomFrom }: Asked,
  ): Promise<Option[]> {
    if (isOwnedElsewhere(wanted) || hasOtherHours(wanted, before)) return [];
    if (before?.unitId && before.stayStatus === 'checked_in' && !isDayUse(wanted))
      return await this.rooms.inHouse(wanted, before, await this.nightsInHouse(caller, wanted, before, roomFrom));
    const canMove = !before || (isLive(before) && before.stayStatus === 'not_arrived');
    return canMove ? await this.ownOptions(caller, wanted, clash, before) : [];
  }

  /**
   * The nights from which on guests in house can have another room: that of the request, or the first one after those that
   * they have if they are to stay longer. Somebody else may have their room since a departure that is over.
   */
  private async nightsInHouse(
    caller: Caller,
    wanted: Reservation,
    { checkInDate, checkOutDate: end }: Reservation,
    roomFrom?: string,
  ): Promise<string[]> {
    const isLonger = wanted.checkInDate === checkInDate && wanted.checkOutDate > end;
    if (!isLonger) return roomFrom ? [roomFrom] : [];
    const { timezone } = await this.properties.get(caller, wanted.propertyId);
    const from = roomFrom ?? later(end, dayIn(timezone));
    return end < from ? [from, end] : [from];
  }

  private async ownOptions(
    caller: Caller,
    wanted: Reservation,
    clash: Clash,
    before: Reservation | undefined,
  ): Promise<Option[]> {
    const options: Option[] = [];
    const fits = async (change: Partial<Reservation>): Promise<boolean> =>
      !(await this.places.clashOf(Object.assign(new Reservation(), wanted, { rooms: [] }, change), before));
    const add = async (description: string, change: Place & Partial<Dates>): Promise<boolean> => {
      if (await fits(change))
        options.push({ description, ...callFor(Object.assign(new Reservation(), wanted, change), before) });
      return options.length > 0;
    };
    const when = isDayUse(wanted) ? 'during these hours' : 'on these nights';
    await this.rooms.eachFree(
      { ...needsOf(wanted), orgId: wanted.orgId, unitTypeId: wanted.unitTypeId },
      ({ id, unitTypeId, name }) => add(`Take ${name}, which is free ${when}.`, { unitId: id, unitTypeId }),
    );
    // Any number of day uses can wait for a unit of a type, and which other hours would do is for their guests to say.
    if (isDayUse(wanted)) return options;
    if (wanted.unitId && wanted.unitTypeId)
      await add('Book the unit type, and assign a unit later.', { unitId: null, unitTypeId: wanted.unitTypeId });
    for (const dates of await this.fittingDates(caller, wanted, clash, before)) {
      const { unitId, unitTypeId } = wanted;
      await add(`Stay from ${dates.checkInDate} until ${dates.checkOutDate}.`, { unitId, unitTypeId, ...dates });
    }
    return options;
  }

  /** The nearest dates of the same length, after and before what is in the way, none in the past or too late for a date. */
  private async fittingDates(
    caller: Caller,
    wanted: Reservation,
    clash: Clash,
    before: Reservation | undefined,
  ): Promise<Dates[]> {
    const { timezone } = await this.properties.get(caller, wanted.propertyId);
    const today = dayIn(timezone);
    const nights = (Date.parse(wanted.checkOutDate) - Date.parse(wanted.checkInDate)) / 86_400_000;
    const look = async (direction: 'after' | 'before'): Promise<Dates[]> => {
      let inTheWay: Clash | undefined = clash;
      let dates: Dates = wanted;
      for (let step = 0; inTheWay && step < mostSteps; step += 1) {
        const beside = edgeOf(inTheWay, direction);
        if (beside === undefined) return [];
        dates =
          direction === 'after'
            ? { checkInDate: beside, checkOutDate: dayAfter(beside, nights) }
            : { checkInDate: dayAfter(beside, -nights), checkOutDate: beside };
        if (dates.checkInDate < today || !isCalendarDate(dates.checkOutDate)) return [];
        inTheWay = await this.places.clashOf(Object.assign(new Reservation(), wanted, { rooms: [] }, dates), before);
      }
      return inTheWay ? [] : [dates];
    };
    return [...(await look('after')), ...(await look('before'))];
  }
}

/** Whether a day use is to have other hours of its day, which it does not get by a move. */
const hasOtherHours = (wanted: Reservation, before: Reservation | undefined): boolean =>
  isDayUse(wanted) &&
  before?.checkInDate === wanted.checkInDate &&
  (before.arrivalAt !== wanted.arrivalAt || before.departureAt !== wanted.departureAt);

/** The operation that books or moves a stay to a place and dates; its other input stays the same, and a move keeps its hours. */
function callFor(stay: Reservation, before: Reservation | undefined): Pick<Option, 'operation' | 'input'> {
  const { propertyId, unitId, unitTypeId, checkInDate, checkOutDate, arrivalAt, departureAt } = stay;
  const place = unitId ? { unitId } : unitTypeId ? { unitTypeId } : before ? { unitId: null, unitTypeId: null } : {};
  const input = { propertyId, ...place, checkInDate, checkOutDate };
  return before
    ? { operation: 'moveReservation', input: { reservationId: before.id, ...input } }
    : { operation: 'createReservation', input: { ...input, ...(isDayUse(stay) && { arrivalAt, departureAt }) } };
}

/** The day after the blocker, or its first day. */
function edgeOf(clash: Clash, direction: 'after' | 'before'): string | undefined {
  const holders = holdersOf(clash);
  const days = holders.flatMap(({ from, until }) => (direction === 'after' ? until : from) ?? []).sort();
  return days.length < holders.length ? undefined : days.at(direction === 'after' ? -1 : 0);
}

export function holdersOf(clash: Clash): NightsHolder[] {
  if ('reservations' in clash) return clash.reservations.flatMap(holdersOfStay);
  if ('block' in clash) {
    const { blockId, from, until } = clash.block;
    return [{ type: 'block', id: blockId, from, until }];
  }
  return clash.nights.map(({ date }) => ({
    type: 'unit_type',
    id: clash.unitTypeId,
    from: date,
    until: dayAfter(date, 1),
  }));
}

function holdersOfStay(stay: Reservation): NightsHolder[] {
  const segments = segmentsOf(stay);
  const from = segments[0]?.from ?? stay.checkInDate;
  return [{ type: 'reservation', id: stay.id, from, until: segments.at(-1)?.until ?? stay.checkOutDate }];
}
