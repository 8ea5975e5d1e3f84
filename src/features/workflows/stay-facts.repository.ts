import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { idColumn, type Row, TenantDatabase, uuidIn } from '#persistence';
import type { StayMoment } from './definition.dto.js';
import { minutesFrom, type StayFacts } from './facts.js';

const ids = {
  reservation: idColumn('reservation'),
  property: idColumn('property'),
  unit: idColumn('unit'),
  guest: idColumn('guest'),
};

/** A span of time in which to look for a moment of stays, with an offset. */
interface Span {
  moment: StayMoment;
  offsetMinutes: number;
  from: string;
  until: string;
}

/** Stays, with the facts that runs know. */
@Injectable()
export class StayFactsRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** @param propertyIds the properties that the caller is limited to; null for all. */
  async find(
    orgId: string,
    reservationId: string,
    propertyIds: readonly string[] | null,
  ): Promise<StayFacts | undefined> {
    const [row] = await this.database.rows(
      orgId,
      `select ${columns} from reservations where org_id = $1 and id = $2 and ($3::uuid[] is null or property_id = any($3))`,
      [uuidIn(orgId), uuidIn(reservationId), propertyIds && propertyIds.map(uuidIn)],
    );
    return row && readStay(row);
  }

  /** The first confirmed stays whose moment was in a span of time, oldest first. */
  async around(
    { orgId, propertyIds }: Caller,
    { moment, offsetMinutes, from, until }: Span,
    limit: number,
  ): Promise<StayFacts[]> {
    const column = moment === 'arrival' ? 'arrival_at' : 'departure_at';
    const rows = await this.database.rows(
      orgId,
      `select ${columns} from reservations
        where org_id = $1 and status = 'confirmed' and ${column} >= $2 and ${column} <= $3
          and ($4::uuid[] is null or property_id = any($4))
        order by ${column} limit ${limit}`,
      [
        uuidIn(orgId),
        minutesFrom(from, -offsetMinutes),
        minutesFrom(until, -offsetMinutes),
        propertyIds && propertyIds.map(uuidIn),
      ],
    );
    return rows.map(readStay);
  }
}

const columns = `id, property_id, unit_id, guest_id, status, stay_status, check_in_date::text, check_out_date::text,
  arrival_at, departure_at, channel`;

const readStay = (row: Row): StayFacts => ({
  id: ids.reservation.from(row.id) as string,
  propertyId: ids.property.from(row.property_id) as string,
  unitId: ids.unit.from(row.unit_id) as string | null,
  guestId: ids.guest.from(row.guest_id) as string | null,
  status: row.status as string,
  stayStatus: row.stay_status as string,
  checkInDate: row.check_in_date as string,
  checkOutDate: row.check_out_date as string,
  arrivalAt: row.arrival_at as string,
  departureAt: row.departure_at as string,
  channel: row.channel as string | null,
});
