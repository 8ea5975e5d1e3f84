import { Injectable } from '@nestjs/common';
import { newId, TenantDatabase, uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import type { MailAuthor } from './mail-authors.js';
import { MailSender } from './mail-sender.js';

export interface Mail {
  to: string;
  subject: string;
  /** Plain text; it may hold a secret link, so it is kept sealed until it is sent, and not after. */
  text: string;
}

/** Takes mail that is to be sent. */
@Injectable()
export class MailService {
  constructor(
    private readonly tenant: TenantDatabase,
    private readonly system: SystemDatabase,
    private readonly keyring: Keyring,
    private readonly sender: MailSender,
  ) {}

  /** Puts a mail into the current transaction, an organization's or one above them: it is sent if that commits. */
  async queue({ to, subject, text }: Mail): Promise<void> {
    const id = uuidIn(newId('mail'));
    const body = this.keyring.seal(text, `mail ${id}`);
    await this.insert('recipient, subject, body', [to, subject, body], id);
  }

  /** The same for a letter that its author writes when it goes out. */
  async queueFor({ name }: MailAuthor, reference: string): Promise<void> {
    await this.insert('author, reference, body', [name, reference, null], uuidIn(newId('mail')));
  }

  private async insert(columns: string, values: unknown[], id: string): Promise<void> {
    const database = this.tenant.inTransaction ? this.tenant : this.system;
    await database.manager.query(
      `insert into mails (${columns}, id, status, attempts, created_at, due_at)
       values ($1, $2, $3, $4, 'waiting', 0, $5, $5)`,
      [...values, id, new Date().toISOString()],
    );
    database.afterCommit(() => this.sender.wake());
  }
}
