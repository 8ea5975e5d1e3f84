import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { readQuery } from '../../platform/http/rest-input.js';
import { FormsService } from '../../platform/pages/forms.service.js';
import { SentForms } from '../accounts/sent-forms.service.js';
import { refusalOf } from '../../platform/pages/messages.js';
import { renderPage } from '../../platform/pages/page.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { SeeOther } from '../../platform/pages/see-other.js';
import { anotherOrganizationPath, consolePath } from '../accounts/console-path.js';
import { SessionCookie } from '../accounts/session-cookie.js';
import { SessionsService } from '../accounts/sessions.service.js';
import { SignInService } from '../accounts/sign-in.service.js';
import { SignUpService } from './sign-up.service.js';
import { ConfirmSignUpPage, HasAccountPage, SignUpPage } from './sign-up.views.js';

interface Told {
  problem?: string;
  organizationName?: string;
}

@PageController()
export class SignUpController {
  constructor(
    private readonly forms: FormsService,
    private readonly sentForms: SentForms,
    private readonly cookie: SessionCookie,
    private readonly sessions: SessionsService,
    private readonly signUp: SignUpService,
    private readonly signIn: SignInService,
  ) {}

  @Get('sign-up')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.signUp.requireOpen();
    if (await this.sessions.current(request)) throw new SeeOther(anotherOrganizationPath);
    const owner = this.cookie.visitor(request, response);
    renderPage(response, { title: 'Create an organization', children: <SignUpPage owner={owner} /> });
  }

  @Post('sign-up')
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    const owner = this.cookie.visitor(request, response);
    const fields = await this.forms.read(request, owner);
    const typed = { name: (fields.name ?? '').trim(), email: (fields.email ?? '').trim() };
    const problem = await refusalOf(async () => {
      await this.sentForms.claim(fields);
      await this.signUp.request(request, typed);
    });
    renderPage(response, {
      title: 'Create an organization',
      status: problem ? 400 : 200,
      children: <SignUpPage owner={owner} {...typed} problem={problem} isSent={!problem} />,
    });
  }

  @Get('sign-up/confirm')
  async showConfirm(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { token = '' } = readQuery(request.originalUrl);
    await this.renderConfirm(request, response, token);
  }

  @Post('sign-up/confirm')
  async confirm(@Req() request: Request, @Res() response: Response): Promise<void> {
    const owner = this.cookie.visitor(request, response);
    const { token = '', password = '', ...fields } = await this.forms.read(request, owner);
    const organizationName = (fields.organizationName ?? '').trim();
    let home = '';
    const problem = await refusalOf(async () => {
      const { userId, organization } = await this.signUp.confirm(request, token, { password, organizationName });
      await this.signIn.withNewPassword(request, response, userId);
      home = consolePath(organization.slug);
    });
    if (!problem) throw new SeeOther(home);
    await this.renderConfirm(request, response, token, { problem, organizationName });
  }

  private async renderConfirm(request: Request, response: Response, token: string, told: Told = {}): Promise<void> {
    const { hasAccount, ...applicant } = await this.signUp.applicant(token);
    const owner = this.cookie.visitor(request, response);
    renderPage(response, {
      title: 'Create your organization',
      status: told.problem ? 400 : 200,
      children: hasAccount ? (
        <HasAccountPage email={applicant.email} />
      ) : (
        <ConfirmSignUpPage {...{ owner, token }} {...applicant} {...told} />
      ),
    });
  }
}
