import { Injectable, Logger } from '@nestjs/common';
import { type DueJob, Jobs, type Lane, type Work } from '#jobs';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { exportWork } from '../../tenancy/closing/organization-exports.js';
import { Exporter } from './exporter.service.js';
import { GzipParts } from './gzip-parts.js';

/** One at a time, because each keeps a database connection until it is written. */
const exports: Lane = { name: 'exports', concurrency: 1, drainMs: 25_000 };
const mostAttempts = 3;
const waitMs = 60_000;

interface DueExport extends DueJob {
  orgId: string;
}

const [orgIds, exportIds] = [idColumn('org'), idColumn('export')];

/** Writes the exports that were requested, in pieces that any process can send. */
@Injectable()
export class ExportWork implements Work<DueExport> {
  readonly name = exportWork;
  readonly lane = exports;
  readonly soonest = '(select min(due_at) from organization_exports)';
  private readonly log = new Logger(ExportWork.name);

  constructor(
    private readonly database: SystemDatabase,
    private readonly exporter: Exporter,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  async due(now: string): Promise<DueExport[]> {
    const rows = await this.database.rows(
      'select org_id, id from organization_exports where due_at <= $1 order by due_at limit 10',
      [now],
    );
    return rows.map((row) => ({ orgId: orgIds.from(row.org_id) as string, id: exportIds.from(row.id) as string }));
  }

  async perform(due: DueExport): Promise<void> {
    try {
      await this.exporter.asOfNow(() => this.write(due));
    } catch (error) {
      this.log.error({ orgId: due.orgId, err: error as Error }, 'An export failed');
      await this.putOff(due);
    }
  }

  /** In one transaction, which holds the row: nobody else writes it, and there is never half an export. */
  private async write({ orgId, id }: DueExport): Promise<void> {
    const ids = [uuidIn(orgId), uuidIn(id)];
    const [held] = await this.database.rows(
      `select 1 from organization_exports where org_id = $1 and id = $2 and status = 'waiting' for update skip locked`,
      ids,
    );
    if (!held) return;
    const parts = new GzipParts(async (number, part) => {
      await this.database.rows(
        'insert into organization_export_parts (org_id, export_id, number, gzip) values ($1, $2, $3, $4)',
        [...ids, number, part],
      );
    });
    const records = await this.exporter.export(orgId, (line) => parts.take(line));
    await parts.end();
    await this.database.rows(
      `update organization_exports set status = 'done', records = $3, bytes = $4, finished_at = $5, due_at = null
        where org_id = $1 and id = $2`,
      [...ids, records, parts.bytes, new Date().toISOString()],
    );
  }

  private async putOff({ orgId, id }: DueExport): Promise<void> {
    await this.database.rows(
      `update organization_exports
          set attempts = attempts + 1, status = case when attempts + 1 >= $3 then 'failed' else status end,
              due_at = case when attempts + 1 >= $3 then null else $4::timestamptz end
        where org_id = $1 and id = $2 and status = 'waiting'`,
      [uuidIn(orgId), uuidIn(id), mostAttempts, new Date(Date.now() + waitMs).toISOString()],
    );
  }
}
