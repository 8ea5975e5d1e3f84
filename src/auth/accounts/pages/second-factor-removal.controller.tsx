import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { readQuery } from '../../../platform/http/rest-input.js';
import { FormsService } from '../../../platform/pages/forms.service.js';
import { renderPage } from '../../../platform/pages/page.js';
import { PageController } from '../../../platform/pages/page-controller.js';
import { SeeOther } from '../../../platform/pages/see-other.js';
import { passkeyScript } from '../second-factors/passkey-script.js';
import { PasskeysService } from '../second-factors/passkeys.service.js';
import { TotpService } from '../second-factors/totp.service.js';
import { SecondFactorsService } from '../second-factors.service.js';
import type { SignedIn } from '../session.js';
import { SentForms } from '../sent-forms.service.js';
import { SessionsService } from '../sessions.service.js';
import { SignInService } from '../sign-in.service.js';
import { RecoveryCodesPage, RemoveFactorPage, RenewCodesPage } from './second-factors.views.js';

const wrongPassword = 'The password is incorrect.';
const wrongFactor = 'This code or passkey is incorrect or was already used.';

/**
 * Removing a second factor requires a factor or a recovery code in the form itself, so that somebody who has the
 * password cannot remove it. New recovery codes would allow that too, so they require the password and a recent factor.
 */
@PageController()
export class SecondFactorRemovalController {
  constructor(
    private readonly forms: FormsService,
    private readonly sentForms: SentForms,
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    private readonly secondFactors: SecondFactorsService,
    private readonly totp: TotpService,
    private readonly passkeys: PasskeysService,
  ) {}

  @Get('account/security/remove')
  async showRemoval(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.require(request);
    await this.renderRemoval(response, signedIn, readQuery(request.originalUrl).factor);
  }

  @Post('account/security/remove')
  async remove(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const { factor = '', code, answer } = await this.forms.read(request, signedIn);
    const isProved = answer
      ? await this.signIn.factorByPasskey(request, signedIn, answer)
      : await this.signIn.factorByCode(request, signedIn, code ?? '');
    if (!isProved) return await this.renderRemoval(response, signedIn, factor, wrongFactor);
    if (factor === 'totp') await this.secondFactors.removeTotp(signedIn.userId);
    else await this.secondFactors.removePasskey(signedIn.userId, factor);
    throw new SeeOther('/account/security?done=removed');
  }

  @Get('account/security/recovery-codes')
  async showRenewal(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.requireFreshFactor(request);
    if (!signedIn.hasSecondFactor) throw new SeeOther('/account/security');
    renderPage(response, { title: 'Recovery codes', children: <RenewCodesPage signedIn={signedIn} /> });
  }

  @Post('account/security/recovery-codes')
  async renew(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.requireFreshFactor(request);
    const fields = await this.forms.read(request, signedIn);
    if (!(await this.signIn.isPasswordOf(request, signedIn, fields.password ?? ''))) {
      const children = <RenewCodesPage signedIn={signedIn} problem={wrongPassword} />;
      return renderPage(response, { title: 'Recovery codes', status: 403, children });
    }
    await this.sentForms.claim(fields);
    const codes = await this.secondFactors.renewRecoveryCodes(signedIn.userId);
    renderPage(response, {
      title: 'Recovery codes',
      children: <RecoveryCodesPage signedIn={signedIn} codes={codes} returnTo="/account/security" />,
    });
  }

  private async renderRemoval(response: Response, signedIn: SignedIn, factor = '', problem?: string): Promise<void> {
    const name = await this.nameOf(signedIn.userId, factor);
    if (!name) throw new SeeOther('/account/security');
    const passkeyOptions = await this.passkeys.authenticationOptions(signedIn);
    renderPage(response, {
      title: `Remove ${name}`,
      status: problem ? 403 : 200,
      script: passkeyOptions ? passkeyScript : undefined,
      children: <RemoveFactorPage {...{ signedIn, factor, name, problem, passkeyOptions }} />,
    });
  }

  private async nameOf(userId: string, factor: string): Promise<string | undefined> {
    if (factor === 'totp') return (await this.totp.isEnrolled(userId)) ? 'the authenticator app' : undefined;
    return (await this.passkeys.list(userId)).find(({ id }) => id === factor)?.name;
  }
}
