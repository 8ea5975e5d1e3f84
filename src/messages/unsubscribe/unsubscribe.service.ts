import { Injectable } from '@nestjs/common';
import { notFound } from '#errors';
import { TenantDatabase } from '#persistence';
import { MessagesRepository } from '../messages.repository.js';
import { RecipientsRepository } from '../recipients.repository.js';
import { SuppressionsService } from '../suppressions.service.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

/** Keeps marketing from whoever follows the link in a message; asked for twice it is done once. */
@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly messages: MessagesRepository,
    private readonly recipients: RecipientsRepository,
    private readonly suppressions: SuppressionsService,
    private readonly database: TenantDatabase,
  ) {}

  /** Whose messages they are. @throws not_found_error for a link that is not ours. */
  async sender(token: string): Promise<string> {
    return await this.recipients.organizationName(this.read(token).orgId);
  }

  /** @throws not_found_error for a link that is not ours. */
  async unsubscribe(token: string): Promise<void> {
    const { orgId, messageId } = this.read(token);
    await this.database.transaction(orgId, async () => {
      const message = await this.messages.findForChange(orgId, messageId);
      const email = message && (await this.recipients.addressOf(message));
      if (!email || (await this.suppressions.stops(orgId, email, { marketing: true }))) return;
      await this.suppressions.add({ orgId }, { email, covers: 'marketing', reason: 'unsubscribed' });
    });
  }

  private read(token: string): { orgId: string; messageId: string } {
    const about = this.links.read(token);
    if (!about) throw notFound('message');
    return about;
  }
}
