import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { newId } from '#persistence';
import { EventsService } from '../../platform/events/events.service.js';
import { LettersService } from './letters.service.js';
import type { ListMessages } from './message.dto.js';
import { type Message, newMessage } from './message.entity.js';
import { MessageTemplates, type Rendered } from './message-templates.js';
import { guestNotFound, memberNotFound, messageNotFound, stayNotFound } from './messages.errors.js';
import { messageQueued } from './messages.events.js';
import { MessagesRepository } from './messages.repository.js';
import { type Facts, type Recipient, RecipientsRepository, type StayFacts } from './recipients.repository.js';

interface Sending {
  to: Recipient;
  /** The stay that the message is about. */
  reservationId?: string;
  /** The cause, such as a step of a run. The same key sends one message, however often it is retried. */
  dedupeKey: string;
}

export interface SendFromTemplate extends Sending {
  templateId: string;
  /** Values in addition to the facts that every template may name. They take precedence. */
  data?: Record<string, unknown>;
}

export interface QueueRendered extends Sending {
  /** The message's own id, if its content names it. */
  id?: string;
  rendered: Rendered;
  /** The property of that stay. */
  propertyId?: string;
  test?: boolean;
}

/**
 * Messages to guests and members. A message and its mail are committed with their cause; the mail is written and sent
 * once, after the commit.
 */
@Injectable()
export class MessagesService {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly recipients: RecipientsRepository,
    private readonly templates: MessageTemplates,
    private readonly letters: LettersService,
    private readonly events: EventsService,
  ) {}

  list(caller: Caller, input: ListMessages): Promise<Page<Message>> {
    return this.messages.list(caller, input);
  }

  async get(caller: Caller, messageId: string): Promise<Message> {
    const message = await this.messages.find(caller, messageId);
    if (!message) throw messageNotFound();
    return message;
  }

  /**
   * Sends a message from a template if the current transaction commits. A recipient who is suppressed or has no address
   * at that time gets nothing, and the message records it.
   *
   * @throws not_found_error if the caller cannot see the recipient or the stay; errors of the renderer.
   */
  async send(caller: Caller, { templateId, data, ...sending }: SendFromTemplate): Promise<Message> {
    const known = await this.messages.findByKey(caller.orgId, sending.dedupeKey);
    if (known) return known;
    const id = newId('message');
    const stay = await this.stay(caller, sending.reservationId);
    const facts: Facts = {
      organization: { name: await this.recipients.organizationName(caller.orgId) },
      ...(await this.recipient(caller, sending.to)),
      ...(stay && { reservation: stay.reservation, property: stay.property }),
    };
    const unsubscribeUrl = this.letters.unsubscribeUrlIn(id);
    const rendered = await this.templates.render(caller.orgId, templateId, { ...facts, ...data, unsubscribeUrl });
    return await this.queue(caller, { ...sending, id, rendered, propertyId: stay?.propertyId });
  }

  /** The same for content that is already rendered. */
  async queue(caller: Caller, queued: QueueRendered): Promise<Message> {
    const { id = newId('message'), to, dedupeKey, rendered, reservationId, propertyId, test = false } = queued;
    const { content, ...template } = rendered;
    const message = newMessage(caller.orgId, id, {
      guestId: null,
      memberId: null,
      ...to,
      dedupeKey,
      ...template,
      test,
      reservationId: reservationId ?? null,
      propertyId: propertyId ?? null,
    });
    if (!(await this.messages.insertOnce(message)))
      return (await this.messages.findByKey(caller.orgId, dedupeKey)) as Message;
    await this.letters.queue(message, content);
    this.events.record(caller, messageQueued, message);
    return message;
  }

  private async recipient(caller: Caller, to: Recipient): Promise<Pick<Facts, 'guest' | 'member'>> {
    if ('guestId' in to) {
      const guest = await this.recipients.guest(caller, to.guestId);
      if (!guest) throw guestNotFound();
      return { guest };
    }
    const member = await this.recipients.member(caller, to.memberId);
    if (!member) throw memberNotFound();
    return { member };
  }

  private async stay(caller: Caller, reservationId: string | undefined): Promise<StayFacts | undefined> {
    if (reservationId === undefined) return undefined;
    const stay = await this.recipients.stay(caller, reservationId);
    if (!stay) throw stayNotFound();
    return stay;
  }
}
