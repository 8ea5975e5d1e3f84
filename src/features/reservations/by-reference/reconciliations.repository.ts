import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { Cursors, idColumn, TenantDatabase, uuidIn } from '#persistence';
import { mostReconciled, type ReconcileReservations, type Reconciliation } from './reconciliation.dto.js';

const id = idColumn('reservation');
const key = `r.org_id = $1 and r.resource = 'reservation' and r.connection_id = $2`;

/** What another system saved, compared with what it says that it saved. */
@Injectable()
export class ReconciliationsRepository {
  constructor(
    private readonly database: TenantDatabase,
    private readonly cursors: Cursors,
  ) {}

  async compare({ orgId }: Caller, { connectionId, items }: ReconcileReservations) {
    const rows = await this.database.rows(
      orgId,
      `select given.external_id, r.external_id is null as missing
         from unnest($3::text[], $4::text[]) with ordinality as given (external_id, hash, place)
         left join external_refs r on ${key} and r.external_id = given.external_id
        where r.content_hash is distinct from given.hash
        order by given.place`,
      [uuidIn(orgId), uuidIn(connectionId), items.map(({ externalId }) => externalId), items.map(({ hash }) => hash)],
    );
    const named = (isMissing: boolean) =>
      rows.filter(({ missing }) => missing === isMissing).map((row) => row.external_id as string);
    return { missing: named(true), different: named(false) };
  }

  /** The stays on these nights that are not listed, in the order of their names. */
  async unknown(
    { orgId, propertyIds }: Caller,
    { connectionId, items, from, until, cursor }: ReconcileReservations,
  ): Promise<Pick<Reconciliation, 'unknown' | 'nextCursor'>> {
    if (!from && !until) return { unknown: [], nextCursor: null };
    const list = JSON.stringify(['reconciled', connectionId, from, until]);
    const after = cursor === undefined ? '' : (this.cursors.read(cursor, list)[0] ?? '');
    const rows = await this.database.rows(
      orgId,
      `select r.external_id, s.id from external_refs r join reservations s on s.org_id = $1 and s.id = r.record_id
        where ${key} and r.external_id > $3 and r.external_id <> all($4::text[])
          and s.status in ('inquiry', 'pending', 'confirmed') and ($7::uuid[] is null or s.property_id = any($7))
          and ($5::date is null or s.check_out_date > $5) and ($6::date is null or s.check_in_date < $6)
        order by r.external_id limit ${mostReconciled + 1}`,
      [
        uuidIn(orgId),
        uuidIn(connectionId),
        after,
        items.map(({ externalId }) => externalId),
        from ?? null,
        until ?? null,
        propertyIds?.map(uuidIn) ?? null,
      ],
      true,
    );
    const unknown = rows
      .slice(0, mostReconciled)
      .map((row) => ({ externalId: row.external_id as string, id: id.from(row.id) as string }));
    const last = unknown.at(-1);
    const hasMore = rows.length > mostReconciled && last !== undefined;
    return { unknown, nextCursor: hasMore ? this.cursors.write([last.externalId, ''], list) : null };
  }
}
