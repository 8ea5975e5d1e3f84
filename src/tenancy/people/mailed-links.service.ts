import { Injectable } from '@nestjs/common';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import { randomBase62 } from '#regions';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';

export type LinkKind = 'reset' | 'invitation' | 'email-change';

export interface MailedLink {
  userId: string | null;
  /** The address that it was mailed to: a person with the link reads that address's mail. */
  email: string;
}

interface Sent {
  /** The organization that invites. */
  sender?: string;
  now?: number;
}

export interface SentInvitation {
  /** The organization that invited; null for letters of earlier releases. */
  sender: string | null;
  createdAt: string;
  usedAt: string | null;
}

const hour = 3_600_000;
const lifetimeMs: Record<LinkKind, number> = { reset: hour, invitation: 7 * 24 * hour, 'email-change': 24 * hour };

const userIds = idColumn('user');
const orgIds = idColumn('org');

/** Single-use links; only the hash of their token is stored. */
@Injectable()
export class MailedLinksService {
  constructor(
    private readonly tenant: TenantDatabase,
    private readonly system: SystemDatabase,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Part of the current transaction, an organization's or one above them.
   *
   * @returns the token to put into the link.
   */
  async create(
    kind: LinkKind,
    { userId, email }: MailedLink,
    { sender, now = Date.now() }: Sent = {},
  ): Promise<string> {
    const database = this.tenant.inTransaction ? this.tenant : this.system;
    const token = randomBase62();
    await database.write(
      `insert into mailed_links (hash, kind, user_id, email, created_at, expires_at, sender_org_id)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        this.keyring.hash(`${kind} ${token}`),
        kind,
        userId && uuidIn(userId),
        email,
        new Date(now).toISOString(),
        new Date(now + lifetimeMs[kind]).toISOString(),
        sender ? uuidIn(sender) : null,
      ],
    );
    return token;
  }

  /**
   * The invitations of all organizations to an address since a time. Others who invite it wait until the transaction of
   * the asking organization ends, so that each counts those before it.
   */
  async invitationsOf(orgId: string, email: string, since: string): Promise<SentInvitation[]> {
    const lock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
    await this.tenant.rows(orgId, lock, [`invitations to ${email.toLowerCase()}`]);
    const rows = await this.system.rows(
      `select sender_org_id, created_at, used_at from mailed_links
        where kind = 'invitation' and lower(email) = lower($1) and created_at > $2`,
      [email, since],
    );
    return rows.map((row) => ({
      sender: orgIds.from(row.sender_org_id) as string | null,
      createdAt: row.created_at as string,
      usedAt: row.used_at as string | null,
    }));
  }

  /** The purpose of a valid link. Opening it, as mail scanners do, does not use it up. */
  async peek(kind: LinkKind, token: string | undefined): Promise<MailedLink | undefined> {
    const [row] = await this.system.rows(
      `select user_id, email from mailed_links where hash = any($1) and used_at is null and expires_at > $2`,
      [this.keyring.hashes(`${kind} ${token ?? ''}`), new Date().toISOString()],
    );
    return row && linkOf(row);
  }

  /** Uses the link up, in the caller's transaction; of two at the same time one finds it used. */
  async use(kind: LinkKind, token: string): Promise<MailedLink | undefined> {
    const [row] = await this.system.rows(
      `update mailed_links set used_at = $2 where hash = any($1) and used_at is null and expires_at > $2
       returning user_id, email`,
      [this.keyring.hashes(`${kind} ${token}`), new Date().toISOString()],
    );
    return row && linkOf(row);
  }

  /** Ends the links of these kinds that a person was sent. @returns how many still worked. */
  async endAll(kinds: readonly LinkKind[], userId: string): Promise<number> {
    const ended = await this.system.rows(
      `update mailed_links set used_at = $3
        where kind = any($1) and user_id = $2 and used_at is null and expires_at > $3 returning 1`,
      [kinds, uuidIn(userId), new Date().toISOString()],
    );
    return ended.length;
  }
}

const linkOf = (row: Record<string, unknown>): MailedLink => ({
  userId: userIds.from(row.user_id) as string | null,
  email: row.email as string,
});
