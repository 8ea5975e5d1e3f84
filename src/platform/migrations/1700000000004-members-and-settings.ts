import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which applications an organization admits; one membership an address; and a removed member keeps no role, so that the
 * role can be deleted.
 */
export class MembersAndSettings1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table organizations
        add column self_registered_applications text not null default 'allowed'
          check (self_registered_applications in ('allowed', 'forbidden')),
        add column allowed_client_ids text[] not null default '{}';

      create unique index members_email on members (org_id, lower(email)) where kind = 'user' and status <> 'removed';
      create index members_by_role on members (org_id, role_id);
      alter table members
        drop constraint members_check,
        add constraint members_role check (kind = 'machine' or status = 'removed' or role_id is not null),
        add constraint members_address check (kind = 'machine' or email is not null);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table members
        drop constraint members_address,
        drop constraint members_role,
        add constraint members_check check (kind = 'machine' or (email is not null and role_id is not null)) not valid;
      drop index members_by_role, members_email;
      alter table organizations drop column allowed_client_ids, drop column self_registered_applications;
    `);
  }
}
