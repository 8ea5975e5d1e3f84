import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Through what an API key was created, from where it may be used and was used, and why it was revoked. */
export class KeysAndMakers1700000000102 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys
        add column application_id uuid,
        add column made_with uuid,
        add column allowed_addresses text[],
        add column last_used_from text,
        add column last_used_agent text,
        add column revoked_because text
          check (revoked_because in ('requested', 'member-removed', 'application-ended', 'leaked')),
        add constraint api_keys_application foreign key (org_id, application_id) references oauth_grants (org_id, id),
        add constraint api_keys_made_with foreign key (org_id, made_with) references api_keys (org_id, id);
      create index api_keys_by_application on api_keys (org_id, application_id) where application_id is not null;
      alter table oauth_grants add column last_used_from text;
      alter table organizations add column max_key_days integer check (max_key_days between 1 and 3650);
    `);
    await runner.query(makersOfExistingKeys);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys
        drop column application_id,
        drop column made_with,
        drop column allowed_addresses,
        drop column last_used_from,
        drop column last_used_agent,
        drop column revoked_because;
      alter table oauth_grants drop column last_used_from;
      alter table organizations drop column max_key_days;
    `);
  }
}

/**
 * The audit trail knows how each existing key was created. Row security binds the owner too, who would see no row, so it
 * is lifted for the length of this transaction, in which nobody else can read the tables.
 */
const makersOfExistingKeys = `
  alter table api_keys no force row level security;
  alter table oauth_grants no force row level security;
  alter table audit_entries no force row level security;

  with creation as (
    select distinct on (org_id, target_id) org_id, target_id, actor_type,
           credential ->> 'kind' as kind, credential ->> 'id' as credential_id
      from audit_entries where target_type = 'api_key' order by org_id, target_id, id),
  maker as (
    select k.org_id, k.id, c.actor_type in ('operator', 'service') as is_operator,
           coalesce(live.id, g.id) as application_id, parent.id as made_with
      from api_keys k
      join creation c on c.org_id = k.org_id and c.target_id = 'key_' || replace(k.id::text, '-', '')
      left join oauth_grants g on g.org_id = k.org_id and c.kind = 'oauth'
        and c.credential_id = 'grant_' || replace(g.id::text, '-', '')
      -- A key follows the approval that replaced the one it was created through.
      left join oauth_grants live on live.org_id = g.org_id and live.user_id = g.user_id
        and live.client_id = g.client_id and live.revoked_at is null
      left join api_keys parent on parent.org_id = k.org_id and c.kind = 'api-key'
        and c.credential_id = 'key_' || replace(parent.id::text, '-', ''))
  update api_keys k
     set created_by = case when m.is_operator then null else k.created_by end,
         application_id = m.application_id, made_with = m.made_with
    from maker m where m.org_id = k.org_id and m.id = k.id;

  with recursive made as (
    select org_id, id, application_id from api_keys where application_id is not null
    union
    select k.org_id, k.id, made.application_id from api_keys k join made on made.org_id = k.org_id and made.id = k.made_with)
  update api_keys k set application_id = made.application_id
    from made where made.org_id = k.org_id and made.id = k.id and k.application_id is null;

  alter table api_keys force row level security;
  alter table oauth_grants force row level security;
  alter table audit_entries force row level security;
`;
