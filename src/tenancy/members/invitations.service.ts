import { Inject, Injectable } from '@nestjs/common';
import { invalidField } from '#errors';
import { type Row, RowImages, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { Member } from './member.entity.js';
import { type MemberEventData, memberJoined, memberRemoved } from './members.events.js';
import { pathWith } from '../../platform/pages/see-other.js';
import { AccountAudit } from '../people/account-audit.js';
import { type Invitation, invitationMail } from './invitation-mail.js';
import { linkIsNoGood, onlyOperatorsCreateAccounts, refuseWeakPassword } from '../people/accounts.errors.js';
import { MailedLinksService } from '../people/mailed-links.service.js';
import { UsersService } from '../people/users.service.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const mostLettersADay = 3;

/** An organization that an address is invited to. */
export interface InvitedTo extends Invitation {
  readonly slug: string;
}

export interface Invited {
  readonly email: string;
  readonly to: readonly InvitedTo[];
  /** Whether the person must still choose a password. */
  readonly isNew: boolean;
  /** Whether an operator must create the account first. */
  readonly needsOperator: boolean;
}

export interface Joined {
  readonly userId: string;
  /** Whether the person's account was created with it. */
  readonly isCreated: boolean;
  /** Of the organization that invited last. */
  readonly slug: string;
}

/** Members join with a mailed link, which proves the address; people without an account create one there. */
@Injectable()
export class InvitationsService {
  private readonly images: RowImages<Member>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
    private readonly users: UsersService,
    private readonly links: MailedLinksService,
    private readonly mail: MailService,
    private readonly audit: AccountAudit,
    private readonly events: EventsService,
  ) {
    this.images = new RowImages(database.dataSource, Member);
  }

  /**
   * Mails an invitation, in the organization's transaction that writes the member with status `invited`. A letter of
   * the last hour is not repeated while its link works, because that link accepts this invitation too. An address gets
   * a limited number of letters a day over all organizations, which do not learn of each other.
   *
   * @returns when the letter was sent; null if the address gets no more today.
   */
  async invite(orgId: string, email: string, invitation: Invitation): Promise<string | null> {
    const now = Date.now();
    const sent = await this.links.invitationsOf(orgId, email, new Date(now - dayMs).toISOString());
    const hourAgo = new Date(now - hourMs).toISOString();
    const recent = sent.find(({ sender, usedAt, createdAt }) => sender === orgId && !usedAt && createdAt > hourAgo);
    if (recent) return recent.createdAt;
    if (sent.length >= mostLettersADay) return null;
    const token = await this.links.create('invitation', { userId: null, email }, { sender: orgId, now });
    const link = this.config.baseUrl + pathWith('/accept-invitation', { token });
    await this.mail.queueOf(orgId, invitationMail(email, invitation, link));
    return new Date(now).toISOString();
  }

  /** Whom the link invites to what; undefined for an invalid link. */
  async find(token: string | undefined): Promise<Invited | undefined> {
    const link = await this.links.peek('invitation', token);
    const to = link ? await this.invitationsTo(link.email) : [];
    if (!link || to.length === 0) return undefined;
    const isNew = !(await this.users.findByEmail(link.email));
    return { email: link.email, to, isNew, needsOperator: isNew && this.config.signUp === 'off' };
  }

  /**
   * Activates all memberships that the address is invited to, under the name that the person has.
   *
   * @param account the name and first password of a new person.
   * @throws not_found_error for an invalid link; authorization_error where only operators create accounts;
   *   validation_error without a name, for a long one or for a weak password.
   */
  async accept(token: string, account: { name: string; password: string }): Promise<Joined> {
    const invited = await this.find(token);
    if (!invited) throw linkIsNoGood();
    const isCreated = invited.isNew && (await this.createAccount(invited, account));
    return await this.database.transaction(async () => {
      const link = await this.links.use('invitation', token);
      const user = link && (await this.users.findByEmail(link.email));
      if (!link || !user) throw linkIsNoGood();
      await this.activate(user, link.email);
      await this.audit.record('invitation-accepted', user.id);
      return { userId: user.id, isCreated, slug: (invited.to[0] as InvitedTo).slug };
    });
  }

  private async createAccount({ email, needsOperator }: Invited, account: { name: string; password: string }) {
    if (needsOperator) throw onlyOperatorsCreateAccounts();
    if (!account.name) throw invalidField(['name'], 'Enter your name.');
    refuseWeakPassword(account.password, email);
    return await this.users.createIfNew({ email, ...account });
  }

  /** An organization where the person is already a member keeps only that membership. */
  private async activate({ id: userId, name }: { id: string; name: string }, email: string): Promise<void> {
    const rows = await this.database.rows(
      `update members m set user_id = $1, name = $4, status = 'active', version = version + 1, updated_at = $3
        where lower(m.email) = lower($2) and m.status = 'invited' and m.kind = 'user'
          and not exists (select 1 from members other where other.org_id = m.org_id and other.user_id = $1
                             and other.id <> m.id and other.status <> 'removed')
       returning ${this.images.columns}`,
      [uuidIn(userId), email, new Date().toISOString(), name],
    );
    await this.recordEach(memberJoined, rows);
  }

  /**
   * Ends, in the caller's transaction, the invitations of an address to organizations where its owner is already a
   * member.
   */
  async withdraw(userId: string, email: string): Promise<void> {
    const rows = await this.database.rows(
      `update members m set status = 'removed', role_id = null, version = version + 1, updated_at = $3
        where lower(m.email) = lower($2) and m.status = 'invited' and m.kind = 'user'
          and exists (select 1 from members own where own.org_id = m.org_id and own.user_id = $1
                         and own.id <> m.id and own.status <> 'removed')
       returning ${this.images.columns}`,
      [uuidIn(userId), email, new Date().toISOString()],
    );
    await this.recordEach(memberRemoved, rows);
  }

  /** None once the member was removed: the link would create an account without an organization. Newest first. */
  private async invitationsTo(email: string): Promise<InvitedTo[]> {
    const rows = await this.database.rows(
      `select o.name as organization, o.slug, r.name as role, inviter.name as inviter
         from members m
         join organizations o on o.id = m.org_id and o.status = 'active'
         join roles r on r.org_id = m.org_id and r.id = m.role_id
         left join members inviter on inviter.org_id = m.org_id and inviter.id = m.invited_by
        where lower(m.email) = lower($1) and m.status = 'invited' and m.kind = 'user'
        order by m.created_at desc, m.id`,
      [email],
    );
    return rows as unknown as InvitedTo[];
  }

  private async recordEach(happened: ChangeType<MemberEventData>, rows: Row[]): Promise<void> {
    for (const { before, after } of this.images.read(rows))
      await this.events.recordAbove({ type: 'member', id: after.id }, happened, after, before);
  }
}
