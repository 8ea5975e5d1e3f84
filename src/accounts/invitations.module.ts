import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.js';
import { AccountAudit } from './account-audit.js';
import { InvitationsService } from './invitations.service.js';
import { MailedLinksService } from './mailed-links.service.js';
import { UsersModule } from './users.module.js';

/** Mailed links, and among them invitations: organizations send those. */
@Module({
  imports: [MailModule, UsersModule],
  providers: [AccountAudit, InvitationsService, MailedLinksService],
  exports: [AccountAudit, InvitationsService, MailedLinksService],
})
export class InvitationsModule {}
