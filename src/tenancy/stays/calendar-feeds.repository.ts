import { Injectable } from '@nestjs/common';
import { idColumn } from '#persistence';
import { SystemDatabase } from '#system-database';

export interface CalendarFeed {
  orgId: string;
  propertyId: string;
  name: string;
}

const ids = { org: idColumn('org'), property: idColumn('property') };

/** Whose calendar an address shows: known by its token alone, before any organization is. */
@Injectable()
export class CalendarFeedsRepository {
  constructor(private readonly system: SystemDatabase) {}

  /** @param hashes of the token; a feed ends with its property and its organization. */
  async find(hashes: readonly Buffer[]): Promise<CalendarFeed | undefined> {
    const [row] = await this.system.rows(
      `select p.org_id, p.id, p.name from properties p join organizations o on o.id = p.org_id
        where p.feed_hash = any($1) and p.archived_at is null and o.status = 'active'`,
      [hashes],
    );
    if (!row) return undefined;
    const [orgId, propertyId] = [ids.org.from(row.org_id) as string, ids.property.from(row.id) as string];
    return { orgId, propertyId, name: row.name as string };
  }
}
