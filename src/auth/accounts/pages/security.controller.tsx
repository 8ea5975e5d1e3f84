import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { PersonKeys } from '../../api-keys/person-keys.service.js';
import { readQuery } from '../../../platform/http/rest-input.js';
import { FormsService } from '../../../platform/pages/forms.service.js';
import { refusalOf } from '../../../platform/pages/messages.js';
import { renderPage } from '../../../platform/pages/page.js';
import { PageController } from '../../../platform/pages/page-controller.js';
import { returnPath, SeeOther } from '../../../platform/pages/see-other.js';
import type { EndedAccess } from '../access-endings.service.js';
import { AccountAudit } from '../../../tenancy/people/account-audit.js';
import { PasswordChangesService } from '../password-changes.service.js';
import { PasskeysService } from '../second-factors/passkeys.service.js';
import { RecoveryCodesService } from '../second-factors/recovery-codes.service.js';
import { TotpService } from '../second-factors/totp.service.js';
import { SignInHistory } from '../sign-in-history.service.js';
import type { SignedIn } from '../session.js';
import { SentForms } from '../sent-forms.service.js';
import { SensitiveForms } from '../sensitive-forms.service.js';
import { SessionsService } from '../sessions.service.js';
import { SignInService } from '../sign-in.service.js';
import { type Happened, SecurityPage, type SecurityProps } from './security.views.js';

/** Password, second factor and sessions on one page. */
@PageController()
export class SecurityController {
  constructor(
    private readonly forms: FormsService,
    private readonly sensitiveForms: SensitiveForms,
    private readonly sentForms: SentForms,
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    private readonly passwords: PasswordChangesService,
    private readonly totp: TotpService,
    private readonly passkeys: PasskeysService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly ownKeys: PersonKeys,
    private readonly history: SignInHistory,
    private readonly audit: AccountAudit,
  ) {}

  @Get('account/security')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const { done, return_to, required } = readQuery(request.originalUrl);
    await this.render(response, signedIn, {
      done: done as Happened | undefined,
      returnTo: returnPath(return_to, '/account/security'),
      isRequired: required !== undefined,
    });
  }

  @Post('account/security/password')
  async changePassword(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.requireAnyFactor(request, '/account/security');
    const fields = await this.forms.read(request, signedIn);
    const { current_password = '', new_password = '' } = fields;
    let ended: EndedAccess | undefined;
    const problem = (await this.signIn.isPasswordOf(request, signedIn, current_password))
      ? await refusalOf(async () => {
          await this.sentForms.claim(fields);
          ended = await this.passwords.change(request, signedIn, new_password);
        })
      : 'The current password is incorrect.';
    if (problem) return await this.render(response, signedIn, { problem });
    const renewed = await this.sessions.refresh(response, signedIn, 'password');
    await this.signIn.rememberDevice(request, response, signedIn);
    await this.render(response, renewed, { ended });
  }

  @Post('account/security/sessions/end')
  async endSession(@Req() request: Request): Promise<void> {
    const { signedIn, fields } = await this.sensitiveForms.read(request, { page: '/account/security' });
    await this.sessions.endOne(signedIn.userId, fields.session_id ?? '');
    throw new SeeOther('/account/security?done=session');
  }

  @Post('account/security/sessions/end-all')
  async endAllSessions(@Req() request: Request): Promise<void> {
    const { signedIn } = await this.sensitiveForms.read(request, { page: '/account/security' });
    await this.sessions.signOutEverywhere(signedIn.userId);
    await this.audit.record('signed-out-everywhere', signedIn.userId);
    throw new SeeOther('/sign-in');
  }

  private async render(
    response: Response,
    signedIn: SignedIn,
    told: Pick<SecurityProps, 'problem' | 'done' | 'ended' | 'returnTo' | 'isRequired'>,
  ): Promise<void> {
    const { userId } = signedIn;
    const [hasTotp, passkeys, codesLeft, sessions, keys, history] = await Promise.all([
      this.totp.isEnrolled(userId),
      this.passkeys.list(userId),
      this.recoveryCodes.left(userId),
      this.sessions.list(userId),
      this.ownKeys.list(userId),
      this.history.list(userId),
    ]);
    renderPage(response, {
      title: 'Security',
      status: told.problem ? 400 : 200,
      children: (
        <SecurityPage signedIn={signedIn} {...{ hasTotp, passkeys, codesLeft, sessions, keys, history }} {...told} />
      ),
    });
  }
}
