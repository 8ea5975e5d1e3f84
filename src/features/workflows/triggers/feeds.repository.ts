import { Injectable } from '@nestjs/common';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { FeedPosition } from '../../../platform/events/events.repository.js';

/** The position up to which an organization's events have been checked for its workflows. */
export interface Feed {
  orgId: string;
  position: FeedPosition;
  /** Increases when a workflow becomes active, which invalidates a check in progress. */
  revision: string;
}

/** An organization with unchecked events. */
export interface DueFeed {
  /** The organization's. */
  id: string;
  orgId: string;
}

const ids = { org: idColumn('org') };
/** The feed of one organization. */
const dueAtOnce = 1_000;
/** Events after the checked position of a feed `f`. */
const unchecked = 'e.org_id = f.org_id and (e.transaction_id, e.position) > (f.transaction_id, f.position)';
export const soonestFeed = `(select $1::timestamptz from workflow_feeds f
  where exists (select 1 from events e where ${unchecked}) limit 1)`;
const atRevision = 'where org_id = $1 and revision = $2 and transaction_id = $3::xid8 and position = $4';

@Injectable()
export class FeedsRepository {
  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
  ) {}

  /**
   * Across all organizations. Events that an older transaction may precede, which is still running, are not due: of
   * those, only the number of feeds is told.
   */
  async due(): Promise<{ due: DueFeed[]; hidden: number }> {
    const rows = await this.system.rows(
      `select f.org_id, e.transaction_id < pg_snapshot_xmin(pg_current_snapshot()) as settled
         from workflow_feeds f cross join lateral (
           select e.transaction_id from events e where ${unchecked} order by e.transaction_id, e.position limit 1) e
        limit ${dueAtOnce}`,
      [],
    );
    const due = rows
      .filter(({ settled }) => settled)
      .map((row) => ids.org.from(row.org_id) as string)
      .map((orgId) => ({ id: orgId, orgId }));
    return { due, hidden: rows.length - due.length };
  }

  async find(orgId: string): Promise<Feed | undefined> {
    const [row] = await this.database.rows(
      orgId,
      'select transaction_id::text as transaction, position, revision from workflow_feeds where org_id = $1',
      [uuidIn(orgId)],
    );
    if (!row) return undefined;
    const position = { transactionId: row.transaction as string, position: String(row.position) };
    return { orgId, position, revision: String(row.revision) };
  }

  /** A workflow becomes active in the current transaction, and events are checked for it from then on. */
  async follow(orgId: string): Promise<void> {
    await this.database.rows(
      orgId,
      `insert into workflow_feeds as f (org_id, transaction_id, position, revision)
       values ($1, pg_snapshot_xmin(pg_current_snapshot()), 0, 1)
       on conflict (org_id) do update set revision = f.revision + 1`,
      [uuidIn(orgId)],
    );
  }

  /**
   * Advances the position in the current transaction; false if another process has done so, or a workflow became active
   * since.
   */
  async advance({ orgId, position, revision }: Feed, to: FeedPosition): Promise<boolean> {
    const rows = await this.database.rows(
      orgId,
      `update workflow_feeds set transaction_id = $5::xid8, position = $6 ${atRevision} returning 1`,
      [uuidIn(orgId), revision, position.transactionId, position.position, to.transactionId, to.position],
    );
    return rows.length > 0;
  }

  /** No workflow waits for events any more. */
  async drop({ orgId, position, revision }: Feed): Promise<void> {
    await this.database.rows(orgId, `delete from workflow_feeds ${atRevision}`, [
      uuidIn(orgId),
      revision,
      position.transactionId,
      position.position,
    ]);
  }
}
