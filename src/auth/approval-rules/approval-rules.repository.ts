import { Injectable } from '@nestjs/common';
import type { ApprovalRules, Caller } from '#access';
import { hyphened, idColumn, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { ApprovalRuleRow, ApprovalSettings } from './approval-rule.dto.js';
import { readRules, rulesOfGrant, rulesOfKey } from './rules-query.js';

const ids = { rule: idColumn('rule'), user: idColumn('user') };

const ofKey = `
  select g.ask_before, ${rulesOfKey} as rules
    from api_keys k left join oauth_grants g on g.org_id = k.org_id and g.id = k.application_id
   where k.org_id = $1 and k.id = $2`;

/** The approval of a token may end while the request arrives: then its own choice still applies, or that of the next one. */
const ofGrant = `
  select g.ask_before, ${rulesOfGrant} as rules
    from (select * from oauth_grants where org_id = $1 and client_id = $2 and user_id = $3 and revoked_at is null
          union all
          select * from oauth_grants where org_id = $1 and id = $4 and revoked_at is not null) g
   order by g.revoked_at nulls first limit 1`;

@Injectable()
export class ApprovalRulesRepository {
  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
  ) {}

  /** The rules for a credential at this moment. */
  async of({ orgId, userId = '', credential }: Caller): Promise<ApprovalRules | undefined> {
    if (credential.kind !== 'api-key' && credential.kind !== 'oauth') return undefined;
    const [row] =
      credential.kind === 'api-key'
        ? await this.system.rows(ofKey, [uuidIn(orgId), uuidIn(credential.id)])
        : await this.system.rows(ofGrant, [
            uuidIn(orgId),
            credential.clientId,
            uuidIn(userId),
            uuidIn(credential.applicationId),
          ]);
    return row && readRules(row.rules, row.ask_before);
  }

  async list(orgId: string): Promise<ApprovalRuleRow[]> {
    const text = `select id, who, user_id, what, mode, created_at from approval_rules where org_id = $1
      order by who <> 'all', who, what, id`;
    const rows = await this.database.rows(orgId, text, [uuidIn(orgId)]);
    return rows.map(readRule);
  }

  /** @returns false if there is already a rule for the same. */
  async insertOnce(orgId: string, rule: ApprovalRuleRow, createdBy: string): Promise<boolean> {
    const { id, who, userId, what, mode, createdAt } = rule;
    const inserted = await this.database.rows(
      orgId,
      `insert into approval_rules (org_id, id, who, user_id, what, mode, created_by, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning 1`,
      [uuidIn(orgId), uuidIn(id), who, userId && uuidIn(userId), what, mode, uuidIn(createdBy), createdAt],
    );
    return inserted.length === 1;
  }

  async remove(orgId: string, id: string): Promise<ApprovalRuleRow | undefined> {
    const text = `delete from approval_rules where org_id = $1 and id = $2
      returning id, who, user_id, what, mode, created_at`;
    const [row] = await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id)]);
    return row && readRule(row);
  }

  /** Whether an organization has a key, or somebody approved an application there. */
  async isKnown(orgId: string, who: string): Promise<boolean> {
    const text = who.startsWith('key_')
      ? 'select 1 from api_keys where org_id = $1 and id::text = $2'
      : 'select 1 from oauth_clients where $1::uuid is not null and id = $2';
    const values = [uuidIn(orgId), who.startsWith('key_') ? hyphened(who) : who];
    return (await this.system.rows(text, values)).length > 0;
  }

  async settings(orgId: string): Promise<ApprovalSettings> {
    const text = 'select approval_minutes, approval_by_others from organizations where id = $1';
    const [row] = await this.database.rows(orgId, text, [uuidIn(orgId)]);
    return { minutes: row?.approval_minutes as number, byOthers: row?.approval_by_others as boolean };
  }

  async changeSettings(orgId: string, { minutes, byOthers }: ApprovalSettings): Promise<void> {
    const text = 'update organizations set approval_minutes = $2, approval_by_others = $3 where id = $1';
    await this.database.rows(orgId, text, [uuidIn(orgId), minutes, byOthers]);
  }
}

const readRule = (row: Record<string, unknown>): ApprovalRuleRow => ({
  id: ids.rule.from(row.id) as string,
  who: row.who as string,
  userId: ids.user.from(row.user_id) as string | null,
  what: row.what as string,
  mode: row.mode as ApprovalRuleRow['mode'],
  createdAt: row.created_at as string,
});
