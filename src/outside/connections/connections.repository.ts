import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { dueInTurns } from '#jobs';
import type { Page } from '#operations';
import { Cursors, recordOf, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Place } from '../../organizations/place-uses.js';
import type { ListConnections } from '../../connections/connection.dto.js';
import { Connection } from './connection.entity.js';

const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  name: { asc: 'name', desc: 'name' },
};

/** Looked for at once; more are found as soon as one of them is done. */
const dueConnections = dueInTurns({
  table: 'connections',
  since: 'next_sync_at',
  where: '(sync_lease_until is null or sync_lease_until <= $1)',
});

/** A connection whose next sync is due. */
export interface DueConnection {
  orgId: string;
  id: string;
}

/** A connection that a sync has to itself until the lease is over. */
export interface Lease {
  orgId: string;
  connectionId: string;
  until: string;
}

@Injectable()
export class ConnectionsRepository {
  private readonly table: Table<Connection>;

  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Connection, cursors);
  }

  find(caller: Caller, connectionId: string, tail = ''): Promise<Connection | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(connectionId)), tail);
  }

  list(caller: Caller, filters: ListConnections): Promise<Page<Connection>> {
    const { provider, kind, status, propertyId, limit, cursor, sort } = filters;
    const where = this.visibleTo(caller)
      .when(provider, 'provider = ?')
      .when(kind, 'kind = ?')
      .when(status, 'status = ?')
      .when(propertyId && uuidIn(propertyId), 'property_id = ?');
    return this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
  }

  /** Those that are not disconnected; one that is for a unit alone says so in its settings. */
  liveAtPlace(orgId: string, { propertyId, unitId }: Place): Promise<Connection[]> {
    const where = this.table
      .where(orgId)
      .and("property_id = ? and status <> 'disconnected'", uuidIn(propertyId))
      .when(unitId, "settings ->> 'unitId' = ?");
    return this.table.find(orgId, where);
  }

  insert(connection: Connection): Promise<Connection> {
    return this.table.insert(connection);
  }

  update(connection: Connection, changes: Partial<Connection>): Promise<Connection> {
    return this.table.update(connection, changes);
  }

  /** What is due over all organizations and nobody has taken, in turn. */
  async due(now: string): Promise<DueConnection[]> {
    return (await this.system.rows(dueConnections, [now])).map(recordOf('connection'));
  }

  /** Takes a connection for a sync; false where another one has it, or it is disconnected. */
  take(lease: Lease, now: string): Promise<boolean> {
    return this.takeIf("status <> 'disconnected'", lease, now);
  }

  /** The same for one that is due; false also where it has been synced meanwhile. */
  takeDue(lease: Lease, now: string): Promise<boolean> {
    return this.takeIf('next_sync_at <= $4', lease, now);
  }

  async makeDue(orgId: string, connectionId: string, now: string): Promise<void> {
    const text = 'update connections set next_sync_at = $3 where org_id = $1 and id = $2 and next_sync_at > $3';
    await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(connectionId), now]);
  }

  private async takeIf(condition: string, { orgId, connectionId, until }: Lease, now: string): Promise<boolean> {
    const rows = await this.database.rows(
      orgId,
      `update connections set sync_lease_until = $3
        where org_id = $1 and id = $2 and (sync_lease_until is null or sync_lease_until <= $4) and ${condition}
       returning id`,
      [uuidIn(orgId), uuidIn(connectionId), until, now],
    );
    return rows.length > 0;
  }

  /** For work that no request asked for. */
  findAny(orgId: string, connectionId: string): Promise<Connection | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(connectionId)));
  }

  /** A connection whose lease still holds: nobody changed it or took it over since. */
  leased({ orgId, connectionId, until }: Lease, tail = ''): Promise<Connection | undefined> {
    const where = this.table.where(orgId).and('id = ?', uuidIn(connectionId)).and('sync_lease_until = ?', until);
    return this.table.findOne(orgId, where, tail);
  }

  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }
}
