import { Injectable } from '@nestjs/common';
import { Jobs } from '#jobs';
import { idColumn, newId, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Act } from '../../platform/audit/act.js';
import { AuditService } from '../../platform/audit/audit.service.js';

/** The name of the work that writes exports. */
export const exportWork = 'organization-exports';

export interface ExportView {
  readonly id: string;
  readonly status: 'waiting' | 'done' | 'failed';
  readonly records: number | null;
  readonly bytes: number | null;
  readonly createdAt: string;
}

const exportIds = idColumn('export');

/** The exports of an organization: requested here, written by a job, kept for seven days. */
@Injectable()
export class OrganizationExports {
  constructor(
    private readonly database: SystemDatabase,
    private readonly audit: AuditService,
    private readonly jobs: Jobs,
  ) {}

  /** One that waits already is not requested again. */
  async request(orgId: string, act: Act): Promise<void> {
    await this.database.transaction(async () => {
      const now = new Date().toISOString();
      await this.database.rows('select 1 from organizations where id = $1 for no key update', [uuidIn(orgId)]);
      const id = newId('export');
      const added = await this.database.rows(
        `insert into organization_exports (org_id, id, status, attempts, created_at, due_at)
         select $1, $2, 'waiting', 0, $3::timestamptz, $3::timestamptz
          where not exists (select 1 from organization_exports where org_id = $1 and status = 'waiting') returning 1`,
        [uuidIn(orgId), uuidIn(id), now],
      );
      if (added.length === 0) return;
      await this.audit.record(orgId, { target: { type: 'export', id } }, act);
      this.database.afterCommit(() => this.jobs.wake(exportWork));
    });
  }

  /** The latest first. */
  async list(orgId: string): Promise<ExportView[]> {
    const rows = await this.database.rows(
      `select id, status, records, bytes, created_at as "createdAt" from organization_exports
        where org_id = $1 order by created_at desc limit 10`,
      [uuidIn(orgId)],
    );
    return rows.map(
      (row) => ({ ...row, id: exportIds.from(row.id) as string, bytes: row.bytes && Number(row.bytes) }) as ExportView,
    );
  }

  /** The pieces of the gzip file, in order; none if there is no such export. */
  async *parts(orgId: string, exportId: string): AsyncGenerator<Buffer> {
    for (let number = 0; ; number += 1) {
      const [row] = await this.database.rows(
        'select gzip from organization_export_parts where org_id = $1 and export_id::text = $2 and number = $3',
        [uuidIn(orgId), hyphenated(exportId), number],
      );
      if (!row) return;
      yield row.gzip as Buffer;
    }
  }
}

/** A UUID in Postgres' form; other text matches no row. */
const hyphenated = (id: string): string => uuidIn(id).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
