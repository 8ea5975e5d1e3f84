import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whose permissions decide what a webhook endpoint is sent. Endpoints from before have nobody until they are edited, and
 * go on as they are.
 */
export class EndpointMakers1700000000103 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table webhook_endpoints
        add column maker_member_id uuid,
        add column maker_key_id uuid,
        add column maker_client_id text,
        add column scopes text[] not null default '{}',
        add column missing_scopes text[] not null default '{}',
        add constraint webhook_endpoints_maker foreign key (org_id, maker_member_id) references members (org_id, id),
        add constraint webhook_endpoints_maker_key foreign key (org_id, maker_key_id) references api_keys (org_id, id);
      -- Rows that there are hold to the narrower rule, so none of them is looked at.
      alter table webhook_deliveries
        drop constraint webhook_deliveries_status_check,
        add constraint webhook_deliveries_status_check
          check (status in ('pending', 'succeeded', 'failed', 'withheld')) not valid;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update webhook_deliveries set status = 'failed' where status = 'withheld';
      alter table webhook_deliveries
        drop constraint webhook_deliveries_status_check,
        add constraint webhook_deliveries_status_check check (status in ('pending', 'succeeded', 'failed')) not valid;
      alter table webhook_endpoints
        drop column maker_member_id, drop column maker_key_id, drop column maker_client_id,
        drop column scopes, drop column missing_scopes;
    `);
  }
}
