import { Injectable } from '@nestjs/common';
import { notFound } from '#errors';
import { TenantDatabase } from '#persistence';
import { RecipientsRepository } from '../recipients.repository.js';
import { SuppressionsService } from '../suppressions.service.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

/** Suppresses marketing to the address of the letter. Repeated requests have no further effect. */
@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly recipients: RecipientsRepository,
    private readonly suppressions: SuppressionsService,
    private readonly database: TenantDatabase,
  ) {}

  /** The organization that sends the messages. @throws not_found_error for a link that is not ours. */
  async sender(token: string): Promise<string> {
    return await this.recipients.organizationName(this.read(token).orgId);
  }

  /** @throws not_found_error for a link that is not ours. */
  async unsubscribe(token: string): Promise<void> {
    const { orgId, email } = this.read(token);
    await this.database.transaction(orgId, () =>
      this.suppressions.ensure({ orgId }, { email, covers: 'marketing', reason: 'unsubscribed' }),
    );
  }

  private read(token: string): { orgId: string; email: string } {
    const link = this.links.read(token);
    if (!link) throw notFound('unsubscribe link', 'Open the link in the message itself.');
    return link;
  }
}
