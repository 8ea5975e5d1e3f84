import { Injectable } from '@nestjs/common';
import { idColumn, type Row, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';

const ids = { org: idColumn('org'), connection: idColumn('connection') };

/** A connection whose devices one process listens to. */
export interface LeasedConnection {
  orgId: string;
  connectionId: string;
  /** Another one for other settings or credentials; null once it is disconnected. */
  fingerprint: string | null;
}

const leased = `
  select h.org_id, h.connection_id,
         case when c.status <> 'disconnected' then md5(c.settings::text || coalesce(c.credentials::text, '')) end as fingerprint
    from held h join connections c on c.org_id = h.org_id and c.id = h.connection_id`;

/**
 * Leases over all organizations: a connection is listened to by the one process that renews its lease. They are not
 * rows of a `ClaimedTable`, because nothing is due and nothing is written under them: no place in a lane is taken for
 * as long as a process lives, and no fence is needed.
 */
@Injectable()
export class DeviceLinesRepository {
  constructor(private readonly system: SystemDatabase) {}

  /** Takes connections that no process listens to; parallel calls get different ones. */
  async take(
    providers: string[],
    holder: string,
    now: string,
    until: string,
    limit: number,
  ): Promise<LeasedConnection[]> {
    const text = `
      with held as (
        insert into device_lines (org_id, connection_id, holder, lease_until)
        select c.org_id, c.id, $2, $4
          from connections c left join device_lines l on l.org_id = c.org_id and l.connection_id = c.id
         where c.kind = 'device' and c.provider = any($1) and c.status <> 'disconnected'
           and (l.lease_until is null or l.lease_until <= $3)
         order by c.org_id, c.id limit $5
        on conflict (org_id, connection_id) do update set holder = excluded.holder, lease_until = excluded.lease_until
          where device_lines.lease_until <= $3
        returning org_id, connection_id) ${leased}`;
    return (await this.system.rows(text, [providers, holder, now, until, limit])).map(leasedConnection);
  }

  /** Renews the leases, and returns those that still exist. */
  async renew(holder: string, until: string): Promise<LeasedConnection[]> {
    const text = `
      with held as (
        update device_lines set lease_until = $2 where holder = $1 returning org_id, connection_id) ${leased}`;
    return (await this.system.rows(text, [holder, until])).map(leasedConnection);
  }

  /** Lets go of a connection, which nobody takes before a time. */
  async leave(holder: string, connectionId: string, until: string): Promise<void> {
    const text = 'update device_lines set holder = null, lease_until = $3 where holder = $1 and connection_id = $2';
    await this.system.rows(text, [holder, uuidIn(connectionId), until]);
  }
}

const leasedConnection = (row: Row): LeasedConnection => ({
  orgId: ids.org.from(row.org_id) as string,
  connectionId: ids.connection.from(row.connection_id) as string,
  fingerprint: row.fingerprint as string | null,
});
