import type { ObjectLiteral } from 'typeorm';
import type { Cursors, TenantDatabase } from '#persistence';
import type { SystemDatabase } from '#system-database';
import type { ClaimColumns } from './claim-columns.js';
import { ClaimedRows } from './claimed-rows.js';
import { ClaimedTable, type DueRow } from './claimed-table.js';
import type { Jobs } from './jobs.js';
import type { Log } from './work.js';

/** Gives tables whose rows are claimed the databases for it: features see only what they have claimed. */
export class ClaimedTables {
  constructor(
    private readonly tenant: TenantDatabase,
    private readonly system: SystemDatabase,
    private readonly jobs: Pick<Jobs, 'wake'>,
    private readonly log: Log,
  ) {}

  of(columns: ClaimColumns): ClaimedTable {
    return new ClaimedTable(this.tenant, this.system, columns, this.jobs, this.log);
  }

  /** The same as records, which say when they are due as they are saved. */
  rowsOf<T extends ObjectLiteral & DueRow>(
    entity: new () => T,
    cursors: Cursors,
    columns: ClaimColumns,
  ): ClaimedRows<T> {
    return new ClaimedRows(this.tenant, entity, cursors, this.of(columns));
  }
}
