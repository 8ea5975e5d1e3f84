import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { AccountAudit } from '../people/account-audit.js';
import { InvitationsService } from './invitations.service.js';
import { MailedLinksService } from '../people/mailed-links.service.js';
import { UsersModule } from '../people/users.module.js';

/** Mailed links, and among them invitations: organizations send those. */
@Module({
  imports: [EventsModule, MailModule, UsersModule],
  providers: [AccountAudit, InvitationsService, MailedLinksService],
  exports: [AccountAudit, InvitationsService, MailedLinksService],
})
export class InvitationsModule {}
