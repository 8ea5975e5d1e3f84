import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { type Claim, type ClaimedTable, ClaimedTables, type DueRow } from '#jobs';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import type { Place } from '../../tenancy/stays/place.js';
import type { ListConnections, SyncProgress } from './connection.dto.js';
import { Connection } from './connection.entity.js';

const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  name: { asc: 'name', desc: 'name' },
};

/** A moment as JSON has it. */
const isoOf = (moment: string): string =>
  `to_char(${moment}::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

@Injectable()
export class ConnectionsRepository {
  readonly claims: ClaimedTable;
  private readonly table: Table<Connection>;

  constructor(
    private readonly database: TenantDatabase,
    tables: ClaimedTables,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Connection, cursors);
    this.claims = tables.of({
      work: 'syncs',
      table: 'connections',
      prefix: 'connection',
      due: 'next_sync_at',
      until: 'sync_lease_until',
      where: `status <> 'disconnected'
        and exists (select 1 from organizations o where o.id = connections.org_id and o.status = 'active')`,
      sets: `current_sync = jsonb_build_object('startedAt', ${isoOf('$3')}, 'left', null,
                                               'created', 0, 'updated', 0, 'cancelled', 0, 'unchanged', 0)`,
      // Longer than any provider's timeout.
      leaseMs: 60_000,
    });
  }

  find(caller: Caller, connectionId: string, tail = ''): Promise<Connection | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(connectionId)), tail);
  }

  /**
   * The connection for a save by reference: it stays as it is until the transaction ends.
   *
   * @param form of the save's source version, if it has one; the first one decides for all.
   */
  async forSaving(
    caller: Caller,
    connectionId: string,
    form?: Connection['sourceVersions'],
  ): Promise<Connection | undefined> {
    const where = () => this.visibleTo(caller).and('id = ?', uuidIn(connectionId));
    const undecided = where().and('source_versions is null');
    if (form) await this.table.changeWhere(caller.orgId, undecided, { sourceVersions: form });
    return await this.table.findOne(caller.orgId, where(), 'for share');
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

  /** Connections that are not disconnected. The settings say whether one is for a single unit. */
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

  /** A sync in progress is followed by another one, which finds what the other system has said since. */
  async makeDue(orgId: string, connectionId: string): Promise<void> {
    const now = new Date().toISOString();
    const text = `update connections set next_sync_at = $3
                   where org_id = $1 and id = $2 and status <> 'disconnected' and (next_sync_at > $3 or sync_lease_until > $3)`;
    await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(connectionId), now]);
    this.claims.becomesDue(now);
  }

  /** Should its process die, another one continues with the sync in progress. */
  async keepDue({ orgId, id }: DueRow): Promise<void> {
    const text = `update connections set next_sync_at = (current_sync ->> 'startedAt')::timestamptz
                   where org_id = $1 and id = $2 and next_sync_at > $3 and current_sync is not null`;
    await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id), new Date().toISOString()]);
  }

  /** Says how far a sync is, and renews its claim; the connection keeps its version. */
  async progress(claim: Claim, currentSync: SyncProgress): Promise<Claim> {
    await this.keepDue(claim);
    await this.table.changeWhere(claim.orgId, this.claims.where(claim), { currentSync });
    return await this.claims.prolong(claim);
  }

  /** For work that no request caused. */
  findAny(orgId: string, connectionId: string): Promise<Connection | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(connectionId)));
  }

  /** The connection while the claim is valid: nobody has changed it or taken it over since. */
  ofClaim(claim: Claim, tail = ''): Promise<Connection | undefined> {
    return this.table.findOne(claim.orgId, this.claims.where(claim), tail);
  }

  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }
}
