import { Injectable } from '@nestjs/common';
import { Jobs } from '#jobs';
import { newId, TenantDatabase, uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import type { MailAuthor } from './mail-authors.js';
import { AccountMailSender, OrganizationMailSender } from './mail-lanes.js';

export interface Mail {
  to: string;
  subject: string;
  /** Plain text. It may contain a secret link, so it is stored encrypted until it is sent, and then deleted. */
  text: string;
}

/** Queues mail. */
@Injectable()
export class MailService {
  constructor(
    private readonly tenant: TenantDatabase,
    private readonly system: SystemDatabase,
    private readonly keyring: Keyring,
    private readonly accounts: AccountMailSender,
    private readonly organizations: OrganizationMailSender,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Queues an account's mail in the current transaction, an organization's or one above them: it is sent if that
   * commits, and does not wait for mail of organizations.
   */
  async queue(mail: Mail): Promise<void> {
    await this.insertText(null, mail);
  }

  /** The same for what an organization sends, in turn with the others. */
  async queueOf(orgId: string, mail: Mail): Promise<void> {
    await this.insertText(orgId, mail);
  }

  /**
   * The same for a letter that its author writes when it is sent, for an organization, or for an account if that is
   * null.
   */
  async queueFor(orgId: string | null, { name }: MailAuthor, reference: string): Promise<void> {
    await this.insert(orgId, 'author, reference, body', [name, reference, null], uuidIn(newId('mail')));
  }

  private async insertText(orgId: string | null, { to, subject, text }: Mail): Promise<void> {
    const id = uuidIn(newId('mail'));
    const body = this.keyring.seal(text, `mail ${id}`);
    await this.insert(orgId, 'recipient, subject, body', [to, subject, body], id);
  }

  private async insert(orgId: string | null, columns: string, values: unknown[], id: string): Promise<void> {
    const database = this.tenant.inTransaction ? this.tenant : this.system;
    await database.write(
      `insert into mails (${columns}, id, status, attempts, created_at, due_at, sender_org_id)
       values ($1, $2, $3, $4, 'waiting', 0, $5, $5, $6)`,
      [...values, id, new Date().toISOString(), orgId && uuidIn(orgId)],
    );
    const sender = orgId ? this.organizations : this.accounts;
    database.afterCommit(() => this.jobs.wake(sender.name));
  }
}
