import { Injectable } from '@nestjs/common';
import { type DueJob, Jobs, schedules, type Work } from '#jobs';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { AuditService } from '../../platform/audit/audit.service.js';
import { reopenableMs } from '../../tenancy/closing/closings.service.js';
import { notExported, portableTables } from './portable-tables.js';

/** What an erased organization leaves: that something was done, by whose member and to which record, and the proof. */
const keptByTrail = new Set(['audit_entries', 'audit_heads', 'audit_seals']);

const orgIds = idColumn('org');

/** Erases organizations 30 days after they were closed. */
@Injectable()
export class Eraser implements Work {
  readonly name = 'erase-organizations';
  readonly lane = schedules;
  readonly soonest = `(select min(closed_at) + interval '${reopenableMs} milliseconds' from organizations
     where closed_at is not null and erased_at is null)`;

  constructor(
    private readonly database: SystemDatabase,
    private readonly audit: AuditService,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  async due(now: string): Promise<DueJob[]> {
    const rows = await this.database.rows(
      'select id from organizations where closed_at <= $1 and erased_at is null order by closed_at limit 10',
      [new Date(Date.parse(now) - reopenableMs).toISOString()],
    );
    return rows.map(({ id }) => ({ id: orgIds.from(id) as string }));
  }

  /** In one transaction. Files follow: the sweep of files removes those that no task names. */
  async perform({ id }: DueJob): Promise<void> {
    await this.database.transaction(async () => {
      const now = new Date().toISOString();
      const closedBefore = new Date(Date.now() - reopenableMs).toISOString();
      const [organization] = await this.database.rows(
        `update organizations
            set name = 'Erased organization', slug = 'erased-' || replace(id::text, '-', ''), allowed_client_ids = '{}',
                erased_at = $2, updated_at = $2, version = version + 1
          where id = $1 and status = 'closed' and closed_at <= $3 and erased_at is null returning 1`,
        [uuidIn(id), now, closedBefore],
      );
      if (!organization) return;
      for (const table of await this.childrenFirst())
        await this.database.rows(`delete from ${table} where org_id = $1`, [uuidIn(id)]);
      await this.database.rows('delete from mailed_links where sender_org_id = $1', [uuidIn(id)]);
      await this.database.rows('delete from mails where sender_org_id = $1', [uuidIn(id)]);
      const act = { action: 'erase', actor: { type: 'service' as const } };
      await this.audit.record(id, { target: { type: 'organization', id } }, act);
    });
  }

  /** The tables of organizations, each before those that it refers to. */
  private async childrenFirst(): Promise<string[]> {
    const rows = await this.database.rows(
      `select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
        where contype = 'f' and conrelid <> confrelid and conparentid = 0`,
    );
    const names = [...portableTables.map(({ name }) => name), ...Object.keys(notExported)];
    const left = new Set(names.filter((name) => !keptByTrail.has(name)));
    const ordered: string[] = [];
    while (left.size > 0) {
      const referred = new Set(rows.filter(({ child }) => left.has(child as string)).map(({ parent }) => parent));
      const free = [...left].filter((name) => !referred.has(name));
      if (free.length === 0) throw new Error(`These tables refer to each other: ${[...left].join(', ')}`);
      for (const name of free) left.delete(name);
      ordered.push(...free);
    }
    return ordered;
  }
}
