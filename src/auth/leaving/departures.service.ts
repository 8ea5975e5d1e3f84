import { Injectable } from '@nestjs/common';
import { conflict } from '#errors';
import { idColumn, RowImages, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Trace } from '../../platform/audit/act.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { EventsService } from '../../platform/events/events.service.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { Member } from '../../tenancy/members/member.entity.js';
import { memberRemoved } from '../../tenancy/members/members.events.js';
import { AccountAudit } from '../../tenancy/people/account-audit.js';
import { AccessEndings } from '../accounts/access-endings.service.js';
import type { SignedIn } from '../accounts/session.js';
import { PersonKeys } from '../api-keys/person-keys.service.js';
import { accountDeletedMail } from './leaving-mail.js';

const orgIds = idColumn('org');

/** What else belongs to an account and to nobody else. */
const tablesOfAccounts = ['sessions', 'totp_factors', 'passkeys', 'recovery_codes', 'sign_ins', 'mailed_links'];

/** Invitations of the address end with the account, and its address there. */
const invitedAs = `
  update members m set user_id = $1
   where m.status = 'invited' and m.kind = 'user' and lower(m.email) = lower($2)
     and not exists (select 1 from members own where own.org_id = m.org_id and own.user_id = $1 and own.status <> 'removed')`;

/** Who was invited without a name is called by the address. */
const nobody = `
  update members set email = $2, name = case when lower(name) = lower($3) then 'Deleted account' else name end
   where user_id = $1`;

/** The end of memberships by the person themselves, with their connected applications and the API keys that they created. */
@Injectable()
export class Departures {
  private readonly images: RowImages<Member>;

  constructor(
    private readonly database: SystemDatabase,
    private readonly keys: PersonKeys,
    private readonly endings: AccessEndings,
    private readonly events: EventsService,
    private readonly audit: AuditService,
    private readonly accounts: AccountAudit,
    private readonly mail: MailService,
  ) {
    this.images = new RowImages(database.dataSource, Member);
  }

  /** @throws conflict_error for the last owner. */
  async leave({ userId }: SignedIn, trace: Trace, orgId: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.lock(userId);
      await this.depart(userId, { action: 'leaveOrganization', ...trace }, [orgId]);
    });
  }

  /**
   * Leaves every organization and erases the account. The name stays with the members that the person was, because
   * tasks and audit trails of the organizations refer to them.
   *
   * @throws conflict_error for the last owner of an organization.
   */
  async deleteAccount({ userId, email }: SignedIn, trace: Trace): Promise<void> {
    const erased = `deleted-${uuidIn(userId)}@deleted.invalid`;
    await this.database.transaction(async () => {
      await this.lock(userId);
      await this.database.rows(invitedAs, [uuidIn(userId), email]);
      const rows = await this.database.rows(
        `select org_id from members where user_id = $1 and status <> 'removed' order by org_id`,
        [uuidIn(userId)],
      );
      const all = rows.map((row) => orgIds.from(row.org_id) as string);
      await this.depart(userId, { action: 'deleteAccount', ...trace }, all);
      for (const table of tablesOfAccounts)
        await this.database.rows(`delete from ${table} where user_id = $1`, [uuidIn(userId)]);
      await this.database.rows('delete from mailed_links where lower(email) = lower($1)', [email]);
      await this.database.rows(nobody, [uuidIn(userId), erased, email]);
      await this.database.rows(
        `update users set email = $2, name = 'Deleted account', password_hash = null, has_second_factor = false,
                updated_at = $3 where id = $1`,
        [uuidIn(userId), erased, new Date().toISOString()],
      );
      await this.accounts.record('account-deleted', userId);
      await this.mail.queue(accountDeletedMail(email));
    });
  }

  /** New sessions and approvals of the person wait until this has ended. */
  private async lock(userId: string): Promise<void> {
    await this.database.rows('select 1 from users where id = $1 for no key update', [uuidIn(userId)]);
  }

  private async depart(userId: string, { action, ...trace }: Trace & { action: string }, orgIdsLeft: string[]) {
    const left = new Set(orgIdsLeft);
    await this.refuseLastOwner(userId, orgIdsLeft);
    const act = { action, actor: { type: 'user' as const, id: userId }, ...trace };
    await this.endings.endApprovals(userId, trace, ({ orgId }) => left.has(orgId));
    await this.keys.revoke(userId, act, ({ orgId }) => left.has(orgId));
    const rows = await this.database.rows(
      `update members set status = 'removed', role_id = null, version = version + 1, updated_at = $3
        where user_id = $1 and org_id = any($2) and status <> 'removed' returning ${this.images.columns}`,
      [uuidIn(userId), orgIdsLeft.map(uuidIn), new Date().toISOString()],
    );
    await this.audit.during(act, async () => {
      for (const { before, after } of this.images.read(rows))
        await this.events.recordAbove({ type: 'member', id: after.id }, memberRemoved, after, before);
    });
  }

  /** Locks the owner roles as MembersRepository does, so that of two owners who leave the second sees the first gone. */
  private async refuseLastOwner(userId: string, orgIdsLeft: string[]): Promise<void> {
    const values = [uuidIn(userId), orgIdsLeft.map(uuidIn)];
    const owned = `
      from members m
      join roles r on r.org_id = m.org_id and r.id = m.role_id and r.built_in = 'owner'
      join organizations o on o.id = m.org_id and o.status <> 'closed'
     where m.user_id = $1 and m.org_id = any($2) and m.status = 'active'`;
    await this.database.rows(`select 1 ${owned} order by r.org_id for no key update of r`, values);
    const alone = await this.database.rows(
      `select o.name ${owned} and not exists (
         select 1 from members other
          where other.org_id = m.org_id and other.role_id = m.role_id and other.status = 'active'
            and other.property_ids is null and other.id <> m.id)
       order by o.name`,
      values,
    );
    if (alone.length > 0) throw lastOwnerOf(alone.map(({ name }) => name as string));
  }
}

const lastOwnerOf = (names: string[]) =>
  conflict('LAST_OWNER', `You are the last owner of ${names.join(', ')}. Make another member an owner first.`);
