import type { Request, Response } from 'express';
import { Get, Inject, Post, Req, Res } from '@nestjs/common';
import { regionNames } from '#regions';
import { type Config, CONFIG } from '../../../platform/config/app.config.js';
import { readQuery } from '../../../platform/http/rest-input.js';
import { FormsService } from '../../../platform/pages/forms.service.js';
import { renderPage } from '../../../platform/pages/page.js';
import { PageController } from '../../../platform/pages/page-controller.js';
import { pathWith, returnPath, SeeOther } from '../../../platform/pages/see-other.js';
import { AuthorizationServer } from '../../oauth/authorization-server.js';
import { EndedCookie } from '../ended-cookie.js';
import { PasskeysService } from '../second-factors/passkeys.service.js';
import { passkeyScript } from '../second-factors/passkey-script.js';
import type { HalfSignedIn } from '../session.js';
import { SessionCookie } from '../session-cookie.js';
import { SessionsService } from '../sessions.service.js';
import { SignInService } from '../sign-in.service.js';
import { CodePage, type Happened, SignInPage, type SignInProps } from './sign-in.views.js';

@PageController()
export class SignInController {
  constructor(
    private readonly forms: FormsService,
    private readonly cookie: SessionCookie,
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    private readonly passkeys: PasskeysService,
    private readonly ended: EndedCookie,
    private readonly server: AuthorizationServer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('sign-in')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { return_to, done } = readQuery(request.originalUrl);
    const signedInAs = (await this.sessions.current(request))?.email;
    const owner = this.cookie.visitor(request, response);
    const ended = done === 'password' ? this.ended.take(request, response) : undefined;
    const page = { owner, returnTo: returnPath(return_to), signedInAs, done: done as Happened | undefined, ended };
    await this.render(response, page);
  }

  @Post('sign-in')
  async password(@Req() request: Request, @Res() response: Response): Promise<void> {
    const owner = this.cookie.visitor(request, response);
    const { email = '', password = '', return_to } = await this.forms.read(request, owner);
    const returnTo = returnPath(return_to);
    const step = await this.signIn.withPassword(request, response, { email: email.trim(), password });
    if (step === 'signed-in') throw new SeeOther(returnTo);
    if (step === 'second-factor') throw new SeeOther(pathWith('/sign-in/code', { return_to: returnTo }));
    await this.render(response, { owner, returnTo, email, isWrong: true });
  }

  @Get('sign-in/code')
  async showCode(@Req() request: Request, @Res() response: Response): Promise<void> {
    const half = await this.halfway(request);
    await this.askForFactor(response, half, returnTo(request));
  }

  @Post('sign-in/code')
  async code(@Req() request: Request, @Res() response: Response): Promise<void> {
    const half = await this.halfway(request);
    const { code = '' } = await this.forms.read(request, half);
    const isRight = await this.signIn.withCode(request, response, half, code.trim());
    if (isRight) throw new SeeOther(returnTo(request));
    await this.askForFactor(response, half, returnTo(request), 'This code is incorrect or was already used.');
  }

  @Post('sign-in/passkey')
  async passkey(@Req() request: Request, @Res() response: Response): Promise<void> {
    const half = await this.halfway(request);
    const { answer = '' } = await this.forms.read(request, half);
    const isRight = await this.signIn.withPasskey(request, response, half, answer);
    if (isRight) throw new SeeOther(returnTo(request));
    await this.askForFactor(response, half, returnTo(request), 'This passkey was not accepted. Try again.');
  }

  @Post('sign-out')
  async signOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.current(request);
    if (!signedIn) throw new SeeOther('/sign-in');
    const { return_to } = await this.forms.read(request, signedIn);
    await this.sessions.end(request, response);
    // Also the key that somebody typed into Try it.
    response.setHeader('Clear-Site-Data', '"cache", "storage"');
    throw new SeeOther(return_to ? pathWith('/sign-in', { return_to: returnPath(return_to) }) : '/sign-in');
  }

  private async render(response: Response, page: Omit<SignInProps, 'application' | 'place'>): Promise<void> {
    const [, uid] = /^\/consent\/([\w-]{1,64})$/.exec(page.returnTo) ?? [];
    const application = uid ? await this.server.askedAs(uid) : undefined;
    const { region, baseUrl } = this.config;
    const place = `${new URL(baseUrl).host}, ${regionNames[region]}`;
    renderPage(response, {
      title: application ? `Sign in to connect ${application.clientName}` : 'Sign in',
      status: page.isWrong ? 403 : 200,
      children: <SignInPage {...page} application={application} place={place} />,
    });
  }

  private async halfway(request: Request): Promise<HalfSignedIn> {
    const half = await this.sessions.halfway(request);
    if (half) return half;
    throw new SeeOther(pathWith('/sign-in', { return_to: returnTo(request) }));
  }

  private async askForFactor(response: Response, half: HalfSignedIn, returnTo: string, problem?: string) {
    const passkeyOptions = await this.passkeys.authenticationOptions(half);
    renderPage(response, {
      title: 'Second factor',
      status: problem ? 403 : 200,
      script: passkeyOptions ? passkeyScript : undefined,
      children: <CodePage owner={half} returnTo={returnTo} problem={problem} passkeyOptions={passkeyOptions} />,
    });
  }
}

/** Where the way to the sign-in began; in the address, so that it is known when the first half of a session is over. */
const returnTo = (request: Request): string => returnPath(readQuery(request.originalUrl).return_to);
