import { Injectable, type OnModuleInit } from '@nestjs/common';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import { EventsService } from '../../platform/events/events.service.js';
import { type Fate, type Letter, MailAuthor, MailAuthors } from '../../platform/mail/mail-authors.js';
import { MailService } from '../../platform/mail/mail.service.js';
import type { Message } from './message.entity.js';
import type { MessageContent } from './message-templates.js';
import { messageBecame, type MessageEnd } from './messages.events.js';
import { MessagesRepository } from './messages.repository.js';
import { RecipientsRepository } from './recipients.repository.js';
import { SuppressionsService } from './suppressions.service.js';
import { UnsubscribeLinks } from './unsubscribe/unsubscribe-links.js';

const ids = { org: idColumn('org'), message: idColumn('message') };

/**
 * Writes the letter of a message when the queue is about to hand it over. Only then is its address looked up and
 * checked for a suppression. Its content is kept sealed until it has been sent.
 *
 * A message is sent at most once: it is marked before the mail server is contacted, and if the process ends after that,
 * the outcome is unknown and the message is not sent again. A guest who gets it twice is worse off than an operator who
 * has to check a message.
 */
@Injectable()
export class LettersService extends MailAuthor implements OnModuleInit {
  readonly name = 'messages';

  constructor(
    private readonly authors: MailAuthors,
    private readonly mail: MailService,
    private readonly messages: MessagesRepository,
    private readonly recipients: RecipientsRepository,
    private readonly suppressions: SuppressionsService,
    private readonly links: UnsubscribeLinks,
    private readonly keyring: Keyring,
    private readonly database: TenantDatabase,
    private readonly events: EventsService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.authors.register(this);
  }

  /**
   * The address to unsubscribe at, for the content of a message. It ends with the message's id until the letter is
   * written, because the token names an address that is known only then.
   */
  unsubscribeUrlIn(messageId: string): string {
    return this.links.urlWith(messageId);
  }

  /** Adds the letter of a new message to the current transaction. */
  async queue(message: Message, content: MessageContent): Promise<void> {
    this.messages.keepContent(message, this.keyring.seal(JSON.stringify(content), contextOf(message)));
    await this.mail.queueFor(message.orgId, this, `${uuidIn(message.orgId)} ${uuidIn(message.id)}`);
  }

  write(reference: string): Promise<Letter | undefined> {
    return this.of(reference, async (message) => {
      if (message.status !== 'queued') return undefined;
      const { orgId, marketing } = message;
      const sealed = await this.messages.content(message);
      if (!sealed) return await this.end(message, 'failed', 'The guest was erased before the message was sent.');
      const to = await this.recipients.addressOf(message);
      if (to === undefined) return await this.end(message, 'failed', 'The recipient has no email address.');
      if (await this.suppressions.stops(orgId, to, { marketing }))
        return await this.end(message, 'suppressed', 'The address is suppressed.');
      await this.messages.update(message, { status: 'sending' });
      const token = this.links.tokenFor(orgId, to);
      const { subject, html, text } = JSON.parse(this.keyring.open(sealed, contextOf(message))) as MessageContent;
      const complete = (part: string): string => part.replaceAll(message.id, token);
      return {
        to,
        fromName: await this.recipients.organizationName(orgId),
        subject: complete(subject),
        html: complete(html),
        text: complete(text),
        ...(marketing && { headers: this.unsubscribeHeaders(token) }),
      };
    });
  }

  async settled(reference: string, fate: Fate, reason: string | null): Promise<void> {
    await this.of(reference, async (message) => {
      // A repeated delivery from the queue finds that the message has ended, or that it was postponed just before the
      // process ended.
      if (message.status !== 'sending' && message.status !== 'queued') return undefined;
      return fate === 'waiting'
        ? void (await this.messages.update(message, { status: 'queued', reason }))
        : await this.end(message, fate, reason);
    });
  }

  private async end(message: Message, status: MessageEnd, reason: string | null): Promise<undefined> {
    const now = new Date().toISOString();
    const before = await this.messages.update(message, { status, reason, sentAt: status === 'sent' ? now : null });
    this.messages.dropContent(message);
    this.events.record({ orgId: message.orgId }, messageBecame[status], message, before);
  }

  /** Mail programs offer to unsubscribe automatically (RFC 2369, RFC 8058). */
  private unsubscribeHeaders(token: string): Record<string, string> {
    return {
      'List-Unsubscribe': `<${this.links.urlWith(token)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
  }

  private of<T>(reference: string, work: (message: Message) => Promise<T>): Promise<T | undefined> {
    const [org, id] = reference.split(' ') as [string, string];
    const orgId = ids.org.from(org) as string;
    return this.database.transaction(orgId, async () => {
      const message = await this.messages.findForChange(orgId, ids.message.from(id) as string);
      return message && (await work(message));
    });
  }
}

const contextOf = ({ id }: Message): string => `message ${id}`;
