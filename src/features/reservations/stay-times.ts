import { Injectable } from '@nestjs/common';
import { further, type Outcome, outcomeOf, valueOf } from '#errors';
import type { Property } from '../../tenancy/properties/property.entity.js';
import { type GivenTimes, type LocalTimes, LocalTimesRepository } from './local-times.repository.js';
import type { Reservation } from './reservation.entity.js';
import { arrivesOnAnotherDay, leavesOnAnotherDay, staysNoNight, stayTooLong } from './reservations.errors.js';

export const longestNights = 1_095;
const dayMs = 86_400_000;

export type Times = Pick<
  Reservation,
  'checkInDate' | 'checkOutDate' | 'arrivalTime' | 'departureTime' | 'arrivalAt' | 'departureAt' | 'timezone'
>;

export interface AskedTimes {
  checkInDate: string;
  checkOutDate: string;
  /** A moment that was given; null for the usual time of day. */
  arrivalAt: string | null;
  departureAt: string | null;
  /** Times of day that differ from the property's and are kept when the stay moves. */
  arrivalTime?: string | null;
  departureTime?: string | null;
  /** The moments before the change, which are kept where the clock shows their time twice. */
  soFar?: GivenTimes['soFar'];
}

/** The requested dates and times of a stay at a property. */
interface TimesWanted {
  property: Property;
  asked: AskedTimes;
}

/** Dates and times of a stay, local to its property, and their moments (daylight saving included). */
@Injectable()
export class StayTimes {
  constructor(private readonly localTimes: LocalTimesRepository) {}

  /** @throws validation_error with a key when the dates or moments do not fit together. */
  async of(property: Property, asked: AskedTimes): Promise<Times> {
    return valueOf((await this.ofAll([{ property, asked }]))[0]);
  }

  /** The same for many stays of one organization, with one statement. */
  ofAll(wanted: readonly TimesWanted[]): Promise<Outcome<Times>[]> {
    const possible = wanted.map((one) =>
      outcomeOf(() => {
        refuseNights(one.asked);
        return one;
      }),
    );
    return further(possible, async (some) => {
      const local = await this.localTimes.ofAll(some.map(givenOf));
      return some.map((one, index) => outcomeOf(() => timesFrom(one, local[index] as LocalTimes)));
    });
  }

  /** With the arrival or the departure of an update; values that it leaves out do not change. */
  async changed(
    property: Property,
    reservation: Reservation,
    { arrivalAt, departureAt }: Partial<Pick<AskedTimes, 'arrivalAt' | 'departureAt'>>,
  ): Promise<Partial<Times>> {
    const times = await this.of(property, {
      ...reservation,
      arrivalAt: arrivalAt ?? null,
      departureAt: departureAt ?? null,
      ...(arrivalAt !== undefined && { arrivalTime: null }),
      ...(departureAt !== undefined && { departureTime: null }),
    });
    // A stay that has yet to follow its property to another time zone does so now, completely.
    if (reservation.timezone !== property.timezone) return times;
    return {
      ...(arrivalAt !== undefined && { arrivalAt: times.arrivalAt, arrivalTime: times.arrivalTime }),
      ...(departureAt !== undefined && { departureAt: times.departureAt, departureTime: times.departureTime }),
    };
  }
}

export const nightsBetween = ({
  checkInDate,
  checkOutDate,
}: Pick<AskedTimes, 'checkInDate' | 'checkOutDate'>): number =>
  (Date.parse(checkOutDate) - Date.parse(checkInDate)) / dayMs;

function refuseNights(dates: Pick<AskedTimes, 'checkInDate' | 'checkOutDate'>): void {
  const nights = nightsBetween(dates);
  if (nights < 0) throw staysNoNight();
  if (nights > longestNights) throw stayTooLong();
}

/** @throws validation_error with a key for dates that no stay can have, or a day use without hours in order. */
export function refuseDates(dates: Pick<Times, 'checkInDate' | 'checkOutDate' | 'arrivalAt' | 'departureAt'>): void {
  refuseNights(dates);
  if (nightsBetween(dates) === 0 && dates.arrivalAt >= dates.departureAt) throw staysNoNight();
}

const givenOf = ({ property, asked }: TimesWanted): GivenTimes & { orgId: string } => ({
  orgId: property.orgId,
  checkInDate: asked.checkInDate,
  checkOutDate: asked.checkOutDate,
  arrivalAt: asked.arrivalAt,
  departureAt: asked.departureAt,
  arrivalTime: asked.arrivalTime ?? property.checkInTime,
  departureTime: asked.departureTime ?? property.checkOutTime,
  timezone: property.timezone,
  soFar: asked.soFar,
});

function timesFrom({ property, asked }: TimesWanted, local: LocalTimes): Times {
  const { checkInDate, checkOutDate, arrivalAt, departureAt } = asked;
  refuseDates({ checkInDate, checkOutDate, arrivalAt: local.arrival_at, departureAt: local.departure_at });
  if (local.arrival_date !== null && local.arrival_date !== checkInDate) throw arrivesOnAnotherDay();
  if (local.departure_date !== null && local.departure_date !== checkOutDate) throw leavesOnAnotherDay();
  return {
    checkInDate,
    checkOutDate,
    arrivalTime: arrivalAt ? local.arrival_time : (asked.arrivalTime ?? null),
    departureTime: departureAt ? local.departure_time : (asked.departureTime ?? null),
    arrivalAt: local.arrival_at,
    departureAt: local.departure_at,
    timezone: property.timezone,
  };
}

/** The moments of an update that differ from those of the stay. */
export const otherTimes = (
  stay: Reservation,
  given: Partial<Pick<AskedTimes, 'arrivalAt' | 'departureAt'>>,
): typeof given =>
  Object.fromEntries(
    (['arrivalAt', 'departureAt'] as const)
      .map((name) => [name, given[name]] as const)
      .filter(([name, at]) => at === null || (at !== undefined && Date.parse(at) !== Date.parse(stay[name]))),
  );
