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

/** Local times of a property, with the time zones that the database knows. */
@Injectable()
export class LocalTimesRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** The moments for local dates and times in a time zone, and the local parts of given moments. */
  async of(orgId: string, given: GivenTimes): Promise<LocalTimes> {
    const { checkInDate, checkOutDate, arrivalAt, departureAt, arrivalTime, departureTime, timezone, soFar } = given;
    const [row] = await this.database.rows(
      orgId,
      `with local as (
         select ($3::timestamptz at time zone $7) as arrival, ($4::timestamptz at time zone $7) as departure),
       chosen as (
         select coalesce(arrival::time, $5::time) as arrival_time, coalesce(departure::time, $6::time) as departure_time,
                arrival::date as arrival_date, departure::date as departure_date from local)
       select ${momentOf('$1::date + arrival_time', '$7', 'coalesce($3, $8::timestamptz)')} as arrival_at,
              ${momentOf('$2::date + departure_time', '$7', 'coalesce($4, $9::timestamptz)')} as departure_at,
              arrival_time::text, departure_time::text, arrival_date, departure_date from chosen`,
      [
        checkInDate,
        checkOutDate,
        arrivalAt,
        departureAt,
        arrivalTime,
        departureTime,
        timezone,
        soFar?.arrivalAt,
        soFar?.departureAt,
      ],
    );
    return row as unknown as LocalTimes;
  }
}
