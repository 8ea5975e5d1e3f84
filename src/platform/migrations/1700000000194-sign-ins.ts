import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemOnly } from './isolation.js';

/** Where and when people signed in, for them to look at; it goes with the account. */
export class SignIns1700000000194 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table sign_ins (
        id uuid primary key,
        user_id uuid not null references users (id),
        outcome text not null check (outcome in ('signed-in', 'wrong-password', 'wrong-factor')),
        ip text not null,
        user_agent text not null,
        created_at timestamptz not null
      );
      create index sign_ins_by_user on sign_ins (user_id, created_at);
      create index sign_ins_by_time on sign_ins (created_at);
      ${systemOnly('sign_ins')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table sign_ins;');
  }
}
