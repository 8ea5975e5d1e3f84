import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { readQuery } from '../../../platform/http/rest-input.js';
import { FormsService } from '../../../platform/pages/forms.service.js';
import { renderPage } from '../../../platform/pages/page.js';
import { PageController } from '../../../platform/pages/page-controller.js';
import { returnPath, SeeOther } from '../../../platform/pages/see-other.js';
import { passkeyScript } from '../second-factors/passkey-script.js';
import { PasskeysService } from '../second-factors/passkeys.service.js';
import { TotpService } from '../second-factors/totp.service.js';
import { type Enrolment, SecondFactorsService } from '../second-factors.service.js';
import type { SignedIn } from '../session.js';
import { SentForms } from '../sent-forms.service.js';
import { SessionsService } from '../sessions.service.js';
import { SignInService } from '../sign-in.service.js';
import { AddPasskeyPage, AddTotpPage, RecoveryCodesPage } from './second-factors.views.js';

const security = '/account/security';

/** Adding a second factor requires a recent proof of identity, so a borrowed session cannot add one. */
@PageController()
export class SecondFactorsController {
  constructor(
    private readonly forms: FormsService,
    private readonly sentForms: SentForms,
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    private readonly secondFactors: SecondFactorsService,
    private readonly totp: TotpService,
    private readonly passkeys: PasskeysService,
  ) {}

  @Get('account/security/totp')
  async showTotp(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.requireFresh(request);
    await this.renderTotp(response, signedIn, returnPath(readQuery(request.originalUrl).return_to, security));
  }

  @Post('account/security/totp')
  async addTotp(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.requireFresh(request);
    const { code = '', return_to } = await this.forms.read(request, signedIn);
    const returnTo = returnPath(return_to, security);
    const enrolment = await this.secondFactors.confirmTotp(signedIn, code.replaceAll(' ', ''));
    if (!enrolment)
      return await this.renderTotp(response, signedIn, returnTo, 'This code is incorrect. Enter the next one.');
    await this.goOn(request, response, signedIn, enrolment, returnTo);
  }

  @Get('account/security/passkeys')
  async showPasskey(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.requireFresh(request);
    const { return_to, required } = readQuery(request.originalUrl);
    await this.renderPasskey(response, signedIn, returnPath(return_to, security), {
      isRequired: required !== undefined,
    });
  }

  @Post('account/security/passkeys')
  async addPasskey(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.requireFresh(request);
    const fields = await this.forms.read(request, signedIn);
    const { answer = '', name = '' } = fields;
    const returnTo = returnPath(fields.return_to, security);
    await this.sentForms.claim(fields);
    const called = name.trim().slice(0, 60) || 'Passkey';
    const enrolment = await this.secondFactors.addPasskey(signedIn, answer, called);
    if (enrolment) return await this.goOn(request, response, signedIn, enrolment, returnTo);
    await this.renderPasskey(response, signedIn, returnTo, {
      problem: 'The passkey was not accepted. Try again.',
      name: called,
      isRequired: fields.required !== undefined,
    });
  }

  /** Who has a factor proves it before adding another: with that, the first could be removed. */
  private requireFresh(request: Request): Promise<SignedIn> {
    return this.sessions.requireFreshFactor(request, request.method === 'GET' ? request.originalUrl : security);
  }

  /** The first factor brings recovery codes, to be written down before continuing. */
  private async goOn(
    request: Request,
    response: Response,
    signedIn: SignedIn,
    { recoveryCodes, approvedBefore = [] }: Exclude<Enrolment, false>,
    returnTo: string,
  ): Promise<void> {
    if (recoveryCodes) await this.signIn.rememberDevice(request, response, signedIn);
    const next = returnTo === security ? `${security}?done=added` : returnTo;
    if (!recoveryCodes) throw new SeeOther(next);
    renderPage(response, {
      title: 'Recovery codes',
      children: <RecoveryCodesPage {...{ signedIn, approvedBefore }} codes={recoveryCodes} returnTo={next} />,
    });
  }

  private async renderTotp(response: Response, signedIn: SignedIn, returnTo: string, problem?: string) {
    const draft = await this.totp.draft(signedIn);
    renderPage(response, {
      title: 'Add an authenticator app',
      status: problem ? 400 : 200,
      children: <AddTotpPage signedIn={signedIn} draft={draft} returnTo={returnTo} problem={problem} />,
    });
  }

  private async renderPasskey(
    response: Response,
    signedIn: SignedIn,
    returnTo: string,
    shown: { problem?: string; name?: string; isRequired: boolean },
  ) {
    const options = await this.passkeys.registrationOptions(signedIn);
    renderPage(response, {
      title: 'Add a passkey',
      status: shown.problem ? 400 : 200,
      script: passkeyScript,
      children: <AddPasskeyPage {...{ signedIn, options, returnTo, ...shown }} />,
    });
  }
}
