import { Injectable } from '@nestjs/common';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import type { PackedFile } from './calendar-work.js';
import type { FeedStay } from './feed-file.js';

/** Whose calendar is shown, and from which day on. */
export interface Shown {
  orgId: string;
  propertyId: string;
  from: string;
}

export interface Kept {
  /** Differs as soon as a stay that is shown differs. */
  stays: string;
  /** The stored file, and the state it was created from. */
  file?: PackedFile & { stamp: string };
}

const reservationId = idColumn('reservation');
const shown = `from reservations
  where org_id = $1 and property_id = $2 and status = 'confirmed' and check_out_date >= $3::date
    and occupied_from < occupied_until`;

/** The files of calendars, stored as they are sent. */
@Injectable()
export class FeedsRepository {
  constructor(private readonly database: TenantDatabase) {}

  /**
   * Reads the stays first, so a file never counts as newer than it is. Every change of a stay increases its version.
   */
  async kept({ orgId, propertyId, from }: Shown): Promise<Kept> {
    const [row] = await this.database.rows(
      orgId,
      `select s.stays, f.stamp, f.etag, f.gzip
         from (select coalesce(sum(hashtextextended(id::text || ' ' || version, 0)::numeric), 0)::text as stays ${shown}) s
         left join calendar_files f on f.org_id = $1 and f.property_id = $2`,
      [uuidIn(orgId), uuidIn(propertyId), from],
      true,
    );
    const { stays, stamp, etag, gzip } = row as Record<string, unknown>;
    return {
      stays: stays as string,
      ...(stamp !== null && { file: { stamp: stamp as string, etag: etag as string, gzip: gzip as Buffer } }),
    };
  }

  /** The nights that confirmed stays of a property take, of its units too, that end on a day or later. */
  async stays({ orgId, propertyId, from }: Shown): Promise<FeedStay[]> {
    const rows = await this.database.rows(
      orgId,
      `select id, occupied_from, occupied_until, version, updated_at ${shown} order by check_in_date, id`,
      [uuidIn(orgId), uuidIn(propertyId), from],
      true,
    );
    return rows.map((row) => ({
      id: reservationId.from(row.id) as string,
      checkInDate: row.occupied_from as string,
      checkOutDate: row.occupied_until as string,
      version: row.version as number,
      updatedAt: row.updated_at as string,
    }));
  }

  async keep({ orgId, propertyId }: Shown, stamp: string, { etag, gzip }: PackedFile): Promise<void> {
    await this.database.transaction(orgId, () =>
      this.database.rows(
        orgId,
        `insert into calendar_files (org_id, property_id, stamp, etag, gzip) values ($1, $2, $3, $4, $5)
         on conflict (org_id, property_id) do update set stamp = $3, etag = $4, gzip = $5`,
        [uuidIn(orgId), uuidIn(propertyId), stamp, etag, Buffer.from(gzip)],
      ),
    );
  }
}
