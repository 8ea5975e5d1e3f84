import { Injectable } from '@nestjs/common';
import { approvalOf, type Caller, type RequestCredential } from '#access';
import type { Page } from '#operations';
import { type Changed, Cursors, Table, TenantDatabase, uuidIn } from '#persistence';
import type { ListApiKeys } from './api-key.dto.js';
import { ApiKey } from './api-key.entity.js';
import { workingKeysMade } from './made-keys.js';

const strictness = `array['auto', 'ask', 'forbid']`;

const endsAt = `coalesce(revoked_at, expires_at, 'infinity')`;
/** Sorting by end, descending, puts working keys before the others and keeps the order stable while someone pages. */
const sortable = { endsAt: { asc: endsAt, desc: endsAt } };

const madeBy = workingKeysMade('k.org_id = $1 and k.created_by = $2', '$3');
const madeThrough = workingKeysMade('k.org_id = $1 and k.application_id = $2', '$3');

const liveMember = `select 1 from members where org_id = $1 and id = $2 and status = 'active' for share`;
const liveKey = 'select 1 from api_keys where org_id = $1 and id = $2 and revoked_at is null for share';
const keysInOrder = 'select 1 from api_keys where org_id = $1 and id = any($2) order by id for no key update';
const liveApproval = 'select 1 from oauth_grants where org_id = $1 and id = $2 and revoked_at is null for share';

@Injectable()
export class ApiKeysRepository {
  private readonly table: Table<ApiKey>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, ApiKey, cursors);
  }

  find(orgId: string, id: string): Promise<ApiKey | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(id)));
  }

  findForChange(orgId: string, id: string): Promise<ApiKey | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(id)), 'for no key update');
  }

  /**
   * A key that takes over from another, or was made with it, has the same rules about what needs approval: otherwise a new
   * key would be the way around them. Of two about the same, the stricter remains.
   */
  inheritRules(orgId: string, from: string, to: string): void {
    this.database.defer(
      orgId,
      `insert into approval_rules (org_id, id, who, user_id, what, mode, created_by, created_at)
       select org_id, gen_random_uuid(), $3, user_id, what, mode, created_by, created_at
         from approval_rules where org_id = $1 and who = $2
       on conflict (org_id, who, user_id, what) do update set mode = excluded.mode
        where array_position(${strictness}, excluded.mode) > array_position(${strictness}, approval_rules.mode)`,
      [uuidIn(orgId), from, to],
    );
  }

  list(orgId: string, { limit, cursor, sort }: ListApiKeys): Promise<Page<ApiKey>> {
    return this.table.page(orgId, this.table.where(orgId), { limit, cursor, sort }, sortable);
  }

  /** Keys that a member created, and those created with them; locked. */
  listWorkingMadeBy(orgId: string, memberId: string): Promise<ApiKey[]> {
    return this.listWorking(madeBy, orgId, memberId);
  }

  /** Keys that were created under an approval of an application, and those created with them; locked. */
  listWorkingMadeThrough(orgId: string, applicationId: string): Promise<ApiKey[]> {
    return this.listWorking(madeThrough, orgId, applicationId);
  }

  /**
   * Checks that the member, and the key or approval through which it acts, are still valid, and keeps them so until the
   * transaction ends. Anything that ends one of them waits, and then finds what was created through it.
   *
   * Locks are taken in one order everywhere to prevent deadlocks: the member, the approval, then keys by id.
   *
   * @param keyId a key that is about to change; it is locked here together with the caller's own key, in that order.
   */
  async lockCreator({ orgId, memberId, credential }: Caller<RequestCredential>, keyId?: string): Promise<boolean> {
    const isLive = async (text: string, record: string) =>
      (await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(record)])).length > 0;
    if (!(await isLive(liveMember, memberId))) return false;
    if (credential.kind === 'api-key') {
      const { id } = credential;
      if (keyId) await this.database.rows(orgId, keysInOrder, [uuidIn(orgId), [uuidIn(id), uuidIn(keyId)]]);
      return await isLive(liveKey, id);
    }
    const applicationId = approvalOf(credential);
    return applicationId === undefined || (await isLive(liveApproval, applicationId));
  }

  updateAll(keys: readonly ApiKey[], changes: Partial<ApiKey>): Promise<Changed<ApiKey>[]> {
    return this.table.updateAll(keys, changes);
  }

  insert(key: ApiKey): Promise<ApiKey> {
    return this.table.insert(key);
  }

  update(key: ApiKey, changes: Partial<ApiKey>): Promise<ApiKey> {
    return this.table.update(key, changes);
  }

  private async listWorking(query: string, orgId: string, maker: string): Promise<ApiKey[]> {
    const rows = await this.database.rows(orgId, query, [uuidIn(orgId), uuidIn(maker), new Date().toISOString()]);
    const ids = rows.map(({ id }) => id as string);
    return ids.length > 0 ? await this.table.find(orgId, this.table.where(orgId).and('id = any(?)', ids)) : [];
  }
}
