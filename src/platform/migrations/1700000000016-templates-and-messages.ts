import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Email templates with their versions; messages, what each says until it is sent, and who gets none. */
export class TemplatesAndMessages1700000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table email_templates (
        org_id uuid not null references organizations (id),
        id uuid not null,
        name text not null,
        category text not null,
        status text not null check (status in ('draft', 'published', 'archived')),
        latest_version integer not null,
        published_version integer,
        metadata jsonb not null,
        external_refs jsonb not null,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id)
      );
      create index email_templates_by_update on email_templates (org_id, updated_at, id);
      create index email_templates_by_name on email_templates (org_id, name, id);
      ${isolated('email_templates')}

      create table email_template_versions (
        org_id uuid not null,
        template_id uuid not null,
        number integer not null,
        category text not null,
        subject text not null,
        preheader text,
        body text not null,
        text_body text,
        variables jsonb not null,
        html text not null,
        issues jsonb not null,
        origin text not null check (origin in ('given', 'model')),
        created_by uuid not null,
        created_at timestamptz not null,
        published_at timestamptz,
        primary key (org_id, template_id, number),
        foreign key (org_id, template_id) references email_templates (org_id, id),
        foreign key (org_id, created_by) references members (org_id, id)
      );
      ${isolated('email_template_versions')}

      create table messages (
        org_id uuid not null references organizations (id),
        id uuid not null,
        dedupe_key text not null,
        guest_id uuid,
        member_id uuid,
        reservation_id uuid,
        property_id uuid,
        template_id uuid not null,
        template_version integer not null,
        marketing boolean not null,
        test boolean not null,
        status text not null check (status in ('queued', 'sending', 'sent', 'failed', 'suppressed', 'unknown')),
        reason text,
        sent_at timestamptz,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        constraint messages_once unique (org_id, dedupe_key),
        -- The log of an erased guest stays, without the guest.
        foreign key (org_id, guest_id) references guests (org_id, id) on delete set null (guest_id),
        foreign key (org_id, member_id) references members (org_id, id),
        foreign key (org_id, reservation_id) references reservations (org_id, id),
        foreign key (org_id, property_id) references properties (org_id, id),
        foreign key (org_id, template_id, template_version)
          references email_template_versions (org_id, template_id, number)
      );
      create index messages_by_guest on messages (org_id, guest_id, id);
      create index messages_by_reservation on messages (org_id, reservation_id, id);
      create index messages_by_template on messages (org_id, template_id, id);
      create index messages_by_property on messages (org_id, property_id, id);
      create index messages_by_status on messages (org_id, status, id);
      create index messages_by_update on messages (org_id, updated_at, id);
      ${isolated('messages')}

      -- What a message says names its guest: it goes when it is sent, and with the guest.
      create table message_contents (
        org_id uuid not null,
        message_id uuid not null,
        guest_id uuid,
        sealed bytea not null,
        primary key (org_id, message_id),
        foreign key (org_id, message_id) references messages (org_id, id) on delete cascade,
        foreign key (org_id, guest_id) references guests (org_id, id) on delete cascade
      );
      create index message_contents_by_guest on message_contents (org_id, guest_id);
      ${isolated('message_contents')}

      create table suppressions (
        org_id uuid not null references organizations (id),
        id uuid not null,
        address_hash bytea not null,
        covers text not null check (covers in ('all', 'marketing')),
        reason text not null,
        created_at timestamptz not null,
        primary key (org_id, id),
        constraint suppressions_address unique (org_id, address_hash)
      );
      ${isolated('suppressions')}

      alter table mails
        alter recipient drop not null,
        alter subject drop not null,
        add author text,
        add reference text,
        add constraint mails_written check ((author is null) = (recipient is not null and subject is not null)),
        add constraint mails_referenced check ((author is null) = (reference is null));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from mails where author is not null;
      alter table mails
        drop constraint mails_written,
        drop constraint mails_referenced,
        drop author,
        drop reference,
        alter recipient set not null,
        alter subject set not null;
      drop table suppressions, message_contents, messages, email_template_versions, email_templates;
    `);
  }
}
