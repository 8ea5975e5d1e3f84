import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import type { Message } from './message.entity.js';

/** The recipient of a message. */
export type Recipient = { guestId: string } | { memberId: string };

/**
 * The facts that every template may name, as far as they are known. The stay and its property exist only if the message
 * is about a stay.
 */
export interface Facts {
  organization: { name: string };
  guest?: { name: string };
  member?: { name: string };
  reservation?: { confirmationCode: string | null; checkInDate: string; checkOutDate: string };
  property?: { name: string; checkInTime: string | null; checkOutTime: string | null };
}

export interface StayFacts extends Required<Pick<Facts, 'reservation' | 'property'>> {
  propertyId: string;
}

const ids = { property: idColumn('property') };

/** The fields of guests, members and stays that a letter needs. */
@Injectable()
export class RecipientsRepository {
  constructor(private readonly database: TenantDatabase) {}

  async organizationName(orgId: string): Promise<string> {
    const [row] = await this.database.rows(orgId, 'select name from organizations where id = $1', [uuidIn(orgId)]);
    return row?.name as string;
  }

  /** A credential that is limited to some properties may write to the guests of stays there. */
  async guest({ orgId, propertyIds }: Caller, guestId: string): Promise<{ name: string } | undefined> {
    const [row] = await this.database.rows(
      orgId,
      `select name from guests g where org_id = $1 and id = $2
          and ($3::uuid[] is null or exists (select 1 from reservations r
                 where r.org_id = $1 and r.guest_id = g.id and r.property_id = any($3)))`,
      [uuidIn(orgId), uuidIn(guestId), propertyIds && propertyIds.map(uuidIn)],
    );
    return row as { name: string } | undefined;
  }

  async member({ orgId }: Caller, memberId: string): Promise<{ name: string } | undefined> {
    const text = `select name from members where org_id = $1 and id = $2 and status = 'active'`;
    const [row] = await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(memberId)]);
    return row as { name: string } | undefined;
  }

  async stay({ orgId, propertyIds }: Caller, reservationId: string): Promise<StayFacts | undefined> {
    const [row] = await this.database.rows(
      orgId,
      `select r.property_id, r.confirmation_code, r.check_in_date::text, r.check_out_date::text,
              p.name, p.check_in_time::text, p.check_out_time::text
         from reservations r join properties p on p.org_id = r.org_id and p.id = r.property_id
        where r.org_id = $1 and r.id = $2 and ($3::uuid[] is null or r.property_id = any($3))`,
      [uuidIn(orgId), uuidIn(reservationId), propertyIds && propertyIds.map(uuidIn)],
    );
    if (!row) return undefined;
    return {
      propertyId: ids.property.from(row.property_id) as string,
      reservation: {
        confirmationCode: row.confirmation_code as string | null,
        checkInDate: row.check_in_date as string,
        checkOutDate: row.check_out_date as string,
      },
      property: {
        name: row.name as string,
        checkInTime: row.check_in_time as string | null,
        checkOutTime: row.check_out_time as string | null,
      },
    };
  }

  /** The current address of a message; undefined if its guest was erased or has none. */
  async addressOf({ orgId, guestId, memberId }: Message): Promise<string | undefined> {
    const text = guestId
      ? 'select email from guests where org_id = $1 and id = $2'
      : `select email from members where org_id = $1 and id = $2 and status = 'active'`;
    const id = guestId ?? memberId;
    const [row] = id ? await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id)]) : [];
    return (row?.email as string | null | undefined) ?? undefined;
  }
}
