import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether an organization has, or once had, rules about what needs approval. Each request looks this up with its
 * credential, and only writes of such organizations read the rules. It is never reset, which would race new rules.
 */
export class ApprovalRulesKnown1700000000298 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table organizations add column has_approval_rules boolean not null default false;
      alter table organizations no force row level security;
      alter table approval_rules no force row level security;
      update organizations o set has_approval_rules = true
        where exists (select 1 from approval_rules r where r.org_id = o.id);
      alter table organizations force row level security;
      alter table approval_rules force row level security;
      create function know_approval_rules() returns trigger language plpgsql as $$
        begin
          update organizations set has_approval_rules = true
            where not has_approval_rules and id in (select org_id from added);
          return null;
        end $$;
      create trigger approval_rules_known after insert on approval_rules referencing new table as added
        for each statement execute function know_approval_rules();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger approval_rules_known on approval_rules;
      drop function know_approval_rules();
      alter table organizations drop column has_approval_rules;
    `);
  }
}
