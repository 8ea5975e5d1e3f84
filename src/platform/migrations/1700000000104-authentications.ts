import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How and when somebody proved who they are: in a session, and from there with each approval that they give. It is not
 * known of sessions and approvals from before.
 */
export class Authentications1700000000104 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table sessions
        add authenticated_at timestamptz,
        add factor_at timestamptz,
        add authenticated_with text[];
      alter table oauth_grants
        add authenticated_at timestamptz,
        add authenticated_with text[],
        drop constraint oauth_grants_revoked_because_check,
        add constraint oauth_grants_revoked_because_check
          check (revoked_because in ('replaced', 'revoked', 'reuse', 'unused', 'password'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update oauth_grants set revoked_because = 'revoked' where revoked_because = 'password';
      alter table oauth_grants
        drop constraint oauth_grants_revoked_because_check,
        add constraint oauth_grants_revoked_because_check
          check (revoked_because in ('replaced', 'revoked', 'reuse', 'unused')),
        drop authenticated_at,
        drop authenticated_with;
      alter table sessions
        drop authenticated_at,
        drop factor_at,
        drop authenticated_with;
    `);
  }
}
