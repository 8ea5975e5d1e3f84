import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { readQuery } from '../../../platform/http/rest-input.js';
import { type Fields, FormsService } from '../../../platform/pages/forms.service.js';
import { renderPage } from '../../../platform/pages/page.js';
import { PageController } from '../../../platform/pages/page-controller.js';
import { returnPath, SeeOther } from '../../../platform/pages/see-other.js';
import { passkeyScript } from '../second-factors/passkey-script.js';
import { PasskeysService } from '../second-factors/passkeys.service.js';
import type { SignedIn } from '../session.js';
import type { AuthenticationMethod } from '../../../tenancy/people/authentication.js';
import { SessionsService } from '../sessions.service.js';
import { SignInService } from '../sign-in.service.js';
import { ConfirmationPage } from './confirmation.views.js';

type Prove = (signedIn: SignedIn, fields: Fields) => Promise<AuthenticationMethod | undefined>;

/** Asks somebody who is signed in to prove once more who they are, before a sensitive action, and leads back to it. */
@PageController()
export class ConfirmationController {
  constructor(
    private readonly forms: FormsService,
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    private readonly passkeys: PasskeysService,
  ) {}

  @Get('account/confirm-password')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const { return_to, with: wanted } = readQuery(request.originalUrl);
    await this.render(response, signedIn, { returnTo: returnPath(return_to), wanted });
  }

  @Post('account/confirm-password')
  withPassword(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.confirm(request, response, 'The password is incorrect.', async (signedIn, { password = '' }) =>
      (await this.signIn.isPasswordOf(request, signedIn, password)) ? 'password' : undefined,
    );
  }

  @Post('account/confirm-code')
  withCode(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.confirm(request, response, 'This code is incorrect or was already used.', (signedIn, fields) =>
      this.signIn.factorByCode(request, signedIn, fields.code ?? ''),
    );
  }

  @Post('account/confirm-passkey')
  withPasskey(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.confirm(request, response, 'This passkey was not accepted. Try again.', (signedIn, fields) =>
      this.signIn.factorByPasskey(request, signedIn, fields.answer ?? ''),
    );
  }

  private async confirm(request: Request, response: Response, problem: string, prove: Prove): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const fields = await this.forms.read(request, signedIn);
    const returnTo = returnPath(fields.return_to);
    const method = await prove(signedIn, fields);
    if (!method) return await this.render(response, signedIn, { returnTo, wanted: fields.with, problem });
    await this.sessions.refresh(response, signedIn, method);
    throw new SeeOther(returnTo);
  }

  private async render(
    response: Response,
    signedIn: SignedIn,
    { wanted, ...told }: { returnTo: string; wanted?: string; problem?: string },
  ): Promise<void> {
    const passkeyOptions = await this.passkeys.authenticationOptions(signedIn);
    const needsFactor = wanted === 'factor' && signedIn.hasSecondFactor;
    renderPage(response, {
      title: 'Confirm that it is you',
      status: told.problem ? 403 : 200,
      script: passkeyOptions ? passkeyScript : undefined,
      children: <ConfirmationPage {...{ signedIn, passkeyOptions, needsFactor }} {...told} />,
    });
  }
}
