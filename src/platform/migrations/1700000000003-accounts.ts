import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemOnly } from './isolation.js';

/** Sessions, second factors, mailed links, throttled attempts, and the mail that is to be sent. */
export class Accounts1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table users add column has_second_factor boolean not null default false;

      create table sessions (
        id uuid primary key,
        hash bytea not null constraint sessions_hash unique,
        user_id uuid not null references users (id),
        stage text not null check (stage in ('second-factor', 'signed-in')),
        user_agent text not null,
        ip text not null,
        challenge text,
        password_at timestamptz not null,
        created_at timestamptz not null,
        last_seen_at timestamptz not null,
        expires_at timestamptz not null
      );
      create index sessions_by_user on sessions (user_id);
      ${systemOnly('sessions')}

      create table totp_factors (
        user_id uuid primary key references users (id),
        secret bytea not null,
        last_step bigint,
        created_at timestamptz not null,
        confirmed_at timestamptz
      );
      ${systemOnly('totp_factors')}

      create table passkeys (
        id uuid primary key,
        user_id uuid not null references users (id),
        credential_id text not null constraint passkeys_credential unique,
        public_key bytea not null,
        counter bigint not null,
        transports text[] not null,
        name text not null,
        created_at timestamptz not null,
        last_used_at timestamptz
      );
      create index passkeys_by_user on passkeys (user_id);
      ${systemOnly('passkeys')}

      create table recovery_codes (
        user_id uuid not null references users (id),
        hash bytea not null,
        created_at timestamptz not null,
        used_at timestamptz,
        primary key (user_id, hash)
      );
      ${systemOnly('recovery_codes')}

      create table mailed_links (
        hash bytea primary key,
        kind text not null check (kind in ('reset', 'invitation', 'email-change')),
        user_id uuid references users (id),
        email text not null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        used_at timestamptz
      );
      create index mailed_links_by_user on mailed_links (user_id) where user_id is not null;
      ${systemOnly('mailed_links')}

      create table attempts (
        key bytea primary key,
        failures integer not null,
        last_at timestamptz not null,
        next_at timestamptz not null
      );
      ${systemOnly('attempts')}

      create table mails (
        id uuid primary key,
        recipient text not null,
        subject text not null,
        body bytea,
        status text not null check (status in ('waiting', 'sending', 'sent', 'failed', 'unknown')),
        attempts integer not null,
        last_error text,
        created_at timestamptz not null,
        due_at timestamptz not null,
        settled_at timestamptz
      );
      create index mails_due on mails (due_at) where status in ('waiting', 'sending');
      ${systemOnly('mails')}
      -- An invitation commits with the member that it invites; the tenant role may add these rows, never read them.
      grant insert on mails, mailed_links to app_user;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table mails, attempts, mailed_links, recovery_codes, passkeys, totp_factors, sessions;
      alter table users drop column has_second_factor;
    `);
  }
}
