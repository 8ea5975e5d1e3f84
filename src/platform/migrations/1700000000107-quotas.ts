import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/**
 * What an organization may have: limits of its own, the rows that count, and the bytes of its attachments, which are
 * kept as a sum because nothing bounds the number of files. Invitations and other mail name the organization that sends
 * them, so that they are counted and organizations take turns; mail of accounts names none.
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

      alter table members add column invitation_sent_at timestamptz;
      update members set invitation_sent_at = created_at where status = 'invited';
      create index members_invited on members (org_id, invitation_sent_at) where invitation_sent_at is not null;

      alter table mailed_links add column sender_org_id uuid references organizations (id);
      create index mailed_links_by_email on mailed_links (lower(email), created_at) where kind = 'invitation';

      alter table mails add column sender_org_id uuid references organizations (id);
      update mails set sender_org_id = split_part(reference, ' ', 1)::uuid
       where author is not null and status in ('waiting', 'sending');
      create index mails_in_turns on mails (sender_org_id, (author is not null), due_at)
       where status = 'waiting' and sender_org_id is not null;
      create index tasks_files on tasks using gin (files jsonb_path_ops) where files <> '[]';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index mails_in_turns;
      alter table mails drop column sender_org_id;
      drop index mailed_links_by_email;
      alter table mailed_links drop column sender_org_id;
      alter table members drop column invitation_sent_at;
      drop index tasks_files;
      drop table attachment_totals;
      drop index connections_counted, email_templates_counted, workflows_counted, properties_counted, api_keys_counted;
      alter table organizations drop column quota_limits;
    `);
  }
}
