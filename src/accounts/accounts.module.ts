import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { MailModule } from '../mail/mail.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AttemptsService } from './attempts.service.js';
import { EmailChangesService } from './email-changes.service.js';
import { InvitationsModule } from './invitations.module.js';
import { PagesModule } from '../pages/pages.module.js';
import { AccountController } from './pages/account.controller.js';
import { MailedLinksController } from './pages/mailed-links.controller.js';
import { SecondFactorRemovalController } from './pages/second-factor-removal.controller.js';
import { SecondFactorsController } from './pages/second-factors.controller.js';
import { SecurityController } from './pages/security.controller.js';
import { SignInController } from './pages/sign-in.controller.js';
import { PasswordChangesService } from './password-changes.service.js';
import { PasskeysService } from './second-factors/passkeys.service.js';
import { RecoveryCodesService } from './second-factors/recovery-codes.service.js';
import { TotpService } from './second-factors/totp.service.js';
import { SecondFactorsService } from './second-factors.service.js';
import { SessionCookie } from './session-cookie.js';
import { SessionsService } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';
import { UsersModule } from './users.module.js';

/** People: signing in, sessions, passwords, second factors, mailed links, and the pages for all of that. */
@Module({
  imports: [EventsModule, InvitationsModule, MailModule, OrganizationsModule, PagesModule, UsersModule],
  controllers: [
    SignInController,
    AccountController,
    SecurityController,
    SecondFactorsController,
    SecondFactorRemovalController,
    MailedLinksController,
  ],
  providers: [
    AttemptsService,
    EmailChangesService,
    PasskeysService,
    PasswordChangesService,
    RecoveryCodesService,
    SecondFactorsService,
    SessionCookie,
    SessionsService,
    SignInService,
    TotpService,
  ],
  exports: [SecondFactorsService, SessionsService, UsersModule],
})
export class AccountsModule {}
