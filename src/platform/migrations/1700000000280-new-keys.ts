import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Claims an idempotency key that is new, and fails for any other, so that it can travel in front of the work. The lock
 * comes first, in a statement of its own: the next one takes its snapshot when the lock is held.
 */
export class NewKeys1700000000280 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function claim_new_idempotency_key(p_org uuid, p_principal text, p_key text)
      returns void language plpgsql volatile as $$
      begin
        if not pg_try_advisory_xact_lock(hashtextextended(p_org::text || p_principal || chr(1) || p_key, 0)) then
          raise exception 'the idempotency key is in use' using errcode = 'KEY01';
        end if;
        if exists (select from idempotency_records r
                    where r.org_id = p_org and r.principal = p_principal and r.key = p_key) then
          raise exception 'the idempotency key is not new' using errcode = 'KEY01';
        end if;
      end $$;
      grant execute on function claim_new_idempotency_key to app_user;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function claim_new_idempotency_key;');
  }
}
