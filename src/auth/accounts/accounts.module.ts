import { Module } from '@nestjs/common';
import { ApplicationKeysModule } from '../api-keys/application-keys.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { AccessEndings } from './access-endings.service.js';
import { AttemptsService } from './attempts.service.js';
import { BrowserCookies } from './browser-cookies.js';
import { DeviceCookie } from './device-cookie.js';
import { EmailChangesService } from './email-changes.service.js';
import { EndedCookie } from './ended-cookie.js';
import { HeldForm } from './held-form.js';
import { NameChanges } from './name-changes.service.js';
import { SignInHistory } from './sign-in-history.service.js';
import { ClosingModule } from '../../tenancy/closing/closing.module.js';
import { InvitationsModule } from '../../tenancy/members/invitations.module.js';
import { PagesModule } from '../../platform/pages/pages.module.js';
import { AccountController } from './pages/account.controller.js';
import { ConfirmationController } from './pages/confirmation.controller.js';
import { InvitationController } from './pages/invitation.controller.js';
import { MailedLinksController } from './pages/mailed-links.controller.js';
import { OwnKeysController } from './pages/own-keys.controller.js';
import { ResumeController } from './pages/resume.controller.js';
import { SecondFactorRemovalController } from './pages/second-factor-removal.controller.js';
import { SecondFactorsController } from './pages/second-factors.controller.js';
import { SecurityController } from './pages/security.controller.js';
import { SignInController } from './pages/sign-in.controller.js';
import { PasswordChangesService } from './password-changes.service.js';
import { PasskeysService } from './second-factors/passkeys.service.js';
import { RecoveryCodesService } from './second-factors/recovery-codes.service.js';
import { TotpService } from './second-factors/totp.service.js';
import { ResetLetters } from './reset-letters.service.js';
import { SealedCookies } from './sealed-cookies.js';
import { SecondFactorsService } from './second-factors.service.js';
import { SentForms } from './sent-forms.service.js';
import { SessionCookie } from './session-cookie.js';
import { SessionsRepository } from './sessions.repository.js';
import { SensitiveForms } from './sensitive-forms.service.js';
import { SessionsService } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';
import { UsersModule } from '../../tenancy/people/users.module.js';

/** People: signing in, sessions, passwords, second factors, mailed links, and the pages for all of that. */
@Module({
  imports: [
    ApplicationKeysModule,
    ClosingModule,
    EventsModule,
    InvitationsModule,
    MailModule,
    OAuthModule,
    OrganizationsModule,
    PagesModule,
    UsersModule,
  ],
  controllers: [
    SignInController,
    AccountController,
    ConfirmationController,
    SecurityController,
    OwnKeysController,
    SecondFactorsController,
    SecondFactorRemovalController,
    InvitationController,
    ResumeController,
    MailedLinksController,
  ],
  providers: [
    AccessEndings,
    AttemptsService,
    BrowserCookies,
    DeviceCookie,
    EmailChangesService,
    EndedCookie,
    HeldForm,
    NameChanges,
    PasskeysService,
    PasswordChangesService,
    RecoveryCodesService,
    ResetLetters,
    SealedCookies,
    SecondFactorsService,
    SentForms,
    SessionCookie,
    SessionsRepository,
    SensitiveForms,
    SessionsService,
    SignInHistory,
    SignInService,
    TotpService,
  ],
  exports: [
    AccessEndings,
    AttemptsService,
    SecondFactorsService,
    SentForms,
    SessionCookie,
    SensitiveForms,
    SessionsService,
    SignInService,
    UsersModule,
  ],
})
export class AccountsModule {}
