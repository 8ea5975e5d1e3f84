import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/**
 * What an organization may have: limits of its own, the rows that count, and the bytes of its attachments, which are
 * kept as a sum because nothing bounds the number of files.
 */
export class Quotas1700000000107 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table organizations add column quota_limits jsonb not null default '{}';

      create index connections_counted on connections (org_id) where status <> 'disconnected';
      create index email_templates_counted on email_templates (org_id) where status <> 'archived';
      create index workflows_counted on workflows (org_id) where status <> 'archived';
      create index properties_counted on properties (org_id) where archived_at is null;
      create index api_keys_counted on api_keys (org_id, coalesce(revoked_at, expires_at, 'infinity'));

      create table attachment_totals (
        org_id uuid primary key references organizations (id),
        bytes bigint not null
      );
      insert into attachment_totals (org_id, bytes)
      select org_id, sum((file ->> 'sizeBytes')::bigint)
        from tasks cross join lateral jsonb_array_elements(files) file
       where files <> '[]' group by org_id;
      ${isolated('attachment_totals')}
      create index tasks_files on tasks using gin (files jsonb_path_ops) where files <> '[]';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index tasks_files;
      drop table attachment_totals;
      drop index connections_counted, email_templates_counted, workflows_counted, properties_counted, api_keys_counted;
      alter table organizations drop column quota_limits;
    `);
  }
}
