import { Module } from '@nestjs/common';
import { MailModule } from '../../platform/mail/mail.module.js';
import { ClosingModule } from '../../tenancy/closing/closing.module.js';
import { InvitationsModule } from '../../tenancy/members/invitations.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AnotherOrganizationController } from './another-organization.controller.js';
import { SignUpController } from './sign-up.controller.js';
import { SignUpLink } from './sign-up-link.js';
import { SignUpService } from './sign-up.service.js';

/** How people who nobody invited create an account and an organization. */
@Module({
  imports: [AccountsModule, ClosingModule, InvitationsModule, MailModule, OrganizationsModule],
  controllers: [AnotherOrganizationController, SignUpController],
  providers: [SignUpLink, SignUpService],
})
export class SignUpModule {}
