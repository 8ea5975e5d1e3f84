import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { idColumn, type Row, TenantDatabase, uuidIn, Where } from '#persistence';
import type { AuditEntryView, AuditFilters } from './audit-entry.dto.js';

/** A place in the order of the chain: behind an entry. */
export interface ChainPosition {
  transactionId: string;
  entryId: string;
}

export const chainStart: ChainPosition = { transactionId: '0', entryId: `audit_${'0'.repeat(32)}` };

const ids = {
  audit: idColumn('audit'),
  approval: idColumn('approval'),
  property: idColumn('property'),
  request: idColumn('request'),
};

/** The columns that `readEntry` reads. */
export const entryColumns = `e.id, e.actor_type, e.actor_id, e.credential, e.on_behalf_of, e.action, e.target_type, e.target_id,
  e.property_id, e.before, e.after, e.request_id, e.created_at, e.log_id, e.undoes, e.approval_id`;

export const readEntry = (row: Row): AuditEntryView => ({
  id: ids.audit.from(row.id) as string,
  actor: {
    type: row.actor_type as AuditEntryView['actor']['type'],
    ...(row.actor_id !== null && { id: row.actor_id as string }),
  },
  credential: row.credential as AuditEntryView['credential'],
  onBehalfOf: row.on_behalf_of as string | null,
  action: row.action as string,
  target: { type: row.target_type as string, id: row.target_id as string },
  propertyId: ids.property.from(row.property_id) as string | null,
  before: row.before as object | null,
  after: row.after as object | null,
  requestId: row.request_id as string | null,
  ...(row.log_id !== null && { logId: ids.request.from(row.log_id) as string }),
  ...(row.undoes !== null && { undoes: ids.audit.from(row.undoes) as string }),
  ...(row.approval_id !== null && { approvalId: ids.approval.from(row.approval_id) as string }),
  createdAt: row.created_at as string,
  seal: null,
});

const sealed = `
  ${entryColumns}, e.transaction_id, s.position, encode(s.hash, 'hex') as hash
  from audit_entries e left join audit_seals s on s.org_id = e.org_id and s.entry_id = e.id`;

const readSealed = (row: Row): AuditEntryView => ({
  ...readEntry(row),
  seal: row.position === null ? null : { position: row.position as number, hash: row.hash as string },
});

@Injectable()
export class AuditEntriesRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** Newest first. @param before the id of the last entry of the page before. */
  async newest(caller: Caller, filters: AuditFilters, before: string | undefined, limit: number) {
    const where = this.filtered(caller, filters).when(before && uuidIn(before), 'e.id < ?');
    return await this.read(caller.orgId, where, `order by e.id desc limit ${limit}`);
  }

  /**
   * In the order of the chain.
   *
   * @returns the position of the last entry too.
   */
  async inOrder(caller: Caller, filters: AuditFilters, from: ChainPosition, limit: number) {
    const where = this.filtered(caller, filters).and(
      '(e.transaction_id, e.id) > (?::xid8, ?::uuid)',
      from.transactionId,
      uuidIn(from.entryId),
    );
    return await this.read(caller.orgId, where, `order by e.transaction_id, e.id limit ${limit}`);
  }

  private async read(orgId: string, where: Where, tail: string) {
    const text = `select ${sealed} ${where.text} ${tail}`;
    const rows = await this.database.rows(orgId, text, where.values, where.customPlan);
    const entries = rows.map(readSealed);
    const [lastRow, lastEntry] = [rows.at(-1), entries.at(-1)];
    const last = lastRow && lastEntry && { transactionId: String(lastRow.transaction_id), entryId: lastEntry.id };
    return { entries, last };
  }

  /** A credential that is limited to some properties sees only entries of those. */
  private filtered({ orgId, propertyIds }: Caller, filters: AuditFilters): Where {
    return new Where()
      .and('e.org_id = ?', uuidIn(orgId))
      .when(propertyIds?.map(uuidIn), 'e.property_id = any(?::uuid[])')
      .when(filters.actor, 'e.actor_id = ?')
      .when(filters.action, 'e.action = ?')
      .when(filters.targetType, 'e.target_type = ?')
      .when(filters.targetId, 'e.target_id = ?')
      .when(filters.requestId, 'e.request_id = ?')
      .whenWithin(filters.from, 'e.created_at >= ?::timestamptz')
      .whenWithin(filters.to, 'e.created_at < ?::timestamptz');
  }
}
