import type { ObjectLiteral } from 'typeorm';
import { type Changed, type Cursors, Table, type TenantDatabase, type Versioned, type Where } from '#persistence';
import type { Claim, ClaimedTable, DueRow } from './claimed-table.js';

/**
 * The records of a table whose rows are claimed. Saving one wakes its work when the record is due. The work writes only
 * while its claim is valid.
 */
export class ClaimedRows<T extends ObjectLiteral & DueRow> extends Table<T> {
  private readonly due?: string;

  constructor(
    database: TenantDatabase,
    entity: new () => T,
    cursors: Cursors,
    readonly claims: ClaimedTable,
  ) {
    super(database, entity, cursors);
    this.due = this.metadata.columns.find(({ databaseName }) => databaseName === claims.dueColumn)?.propertyName;
  }

  /** The record while the claim is valid. */
  ofClaim(claim: Claim, tail = ''): Promise<T | undefined> {
    return this.findOne(claim.orgId, this.claims.where(claim), tail);
  }

  /**
   * Makes a change in one transaction with the row locked, while the claim is valid.
   *
   * @returns what the change returns; undefined if the claim is no longer valid, and nothing was done.
   */
  settle<R>(claim: Claim, change: (record: T) => Promise<R>): Promise<R | undefined> {
    return this.database.transaction(claim.orgId, async () => {
      const record = await this.ofClaim(claim, 'for no key update');
      return record && (await change(record));
    });
  }

  override insertAtCommit(row: T): T {
    this.wake(row);
    return super.insertAtCommit(row);
  }

  override insertUnlessThere(row: T): Promise<boolean> {
    this.wake(row);
    return super.insertUnlessThere(row);
  }

  override update(row: T & Versioned, changes: Partial<T>): Promise<T> {
    this.wake(changes);
    return super.update(row, changes);
  }

  override updateEach(wanted: readonly { row: T & Versioned; changes: Partial<T> }[]): Promise<Changed<T>[]> {
    for (const { changes } of wanted) this.wake(changes);
    return super.updateEach(wanted);
  }

  override changeWhere(orgId: string, where: Where, changes: Partial<T>): Promise<Changed<T> | undefined> {
    this.wake(changes);
    return super.changeWhere(orgId, where, changes);
  }

  private wake(fields: Partial<T>): void {
    const at = this.due && (fields[this.due] as string | null | undefined);
    if (at) this.claims.becomesDue(at);
  }
}
