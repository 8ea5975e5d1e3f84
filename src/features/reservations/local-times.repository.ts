import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '#persistence';
import { momentOf } from '../../tenancy/stays/local-moments.js';
import type { Reservation } from './reservation.entity.js';

export interface GivenTimes {
  checkInDate: string;
  checkOutDate: string;
  arrivalAt: string | null;
  departureAt: string | null;
  /** Times of day where no moment is given. */
  arrivalTime: string;
  departureTime: string;
  timezone: string;
  /** When the stay starts and ends before the change. */
  soFar?: Pick<Reservation, 'arrivalAt' | 'departureAt'>;
}

export interface LocalTimes {
  arrival_at: string;
  departure_at: string;
  arrival_time: string;
  departure_time: string;
  arrival_date: string | null;
  departure_date: string | null;
}

const momentsOfAll = `
  with given as (
    select * from unnest($1::date[], $2::date[], $3::timestamptz[], $4::timestamptz[], $5::time[], $6::time[], $7::text[],
                         $8::timestamptz[], $9::timestamptz[])
      with ordinality as g (check_in, check_out, arrival_at, departure_at, at_in, at_out, zone, arrival_so_far, departure_so_far, place)),
  local as (
    select *, arrival_at at time zone zone as arrival, departure_at at time zone zone as departure from given),
  chosen as (
    select *, coalesce(arrival::time, at_in) as arrival_time, coalesce(departure::time, at_out) as departure_time,
           arrival::date as arrival_date, departure::date as departure_date from local)
  select ${momentOf('check_in + arrival_time', 'zone', 'coalesce(arrival_at, arrival_so_far)')} as arrival_at,
         ${momentOf('check_out + departure_time', 'zone', 'coalesce(departure_at, departure_so_far)')} as departure_at,
         arrival_time::text, departure_time::text, arrival_date, departure_date from chosen order by place`;

/** Local times of a property, with the time zones that the database knows. */
@Injectable()
export class LocalTimesRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** The moments for local dates and times in a time zone, and the local parts of given moments. */
  async of(orgId: string, given: GivenTimes): Promise<LocalTimes> {
    return (await this.ofAll([{ orgId, ...given }]))[0] as LocalTimes;
  }

  /** The same for many of one organization, in their order. */
  async ofAll(given: readonly (GivenTimes & { orgId: string })[]): Promise<LocalTimes[]> {
    const [first] = given;
    if (!first) return [];
    const rows = await this.database.rows(first.orgId, momentsOfAll, [
      given.map(({ checkInDate }) => checkInDate),
      given.map(({ checkOutDate }) => checkOutDate),
      given.map(({ arrivalAt }) => arrivalAt),
      given.map(({ departureAt }) => departureAt),
      given.map(({ arrivalTime }) => arrivalTime),
      given.map(({ departureTime }) => departureTime),
      given.map(({ timezone }) => timezone),
      given.map(({ soFar }) => soFar?.arrivalAt),
      given.map(({ soFar }) => soFar?.departureAt),
    ]);
    return rows as unknown as LocalTimes[];
  }
}
