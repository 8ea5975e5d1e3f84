import { Injectable } from '@nestjs/common';
import { notFound } from '#errors';
import { TenantDatabase } from '#persistence';
import { RecipientsRepository } from '../recipients.repository.js';
import { SuppressionsService } from '../suppressions.service.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

/** Keeps marketing from the address whose letter had the link; asked for twice it is done once. */
@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly links: UnsubscribeLinks,
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
    const { orgId, email } = this.read(token);
    await this.database.transaction(orgId, () =>
      this.suppressions.ensure({ orgId }, { email, covers: 'marketing', reason: 'unsubscribed' }),
    );
  }

  private read(token: string): { orgId: string; email: string } {
    const about = this.links.read(token);
    if (!about) throw notFound('message');
    return about;
  }
}
