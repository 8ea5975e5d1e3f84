import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { readQuery } from '../../../platform/http/rest-input.js';
import { FormsService } from '../../../platform/pages/forms.service.js';
import { SentForms } from '../sent-forms.service.js';
import { refusalOf } from '../../../platform/pages/messages.js';
import { renderPage } from '../../../platform/pages/page.js';
import { PageController } from '../../../platform/pages/page-controller.js';
import { pathWith, SeeOther } from '../../../platform/pages/see-other.js';
import { linkIsNoGood } from '../../../tenancy/people/accounts.errors.js';
import { EmailChangesService } from '../email-changes.service.js';
import { EndedCookie } from '../ended-cookie.js';
import { MailedLinksService } from '../../../tenancy/people/mailed-links.service.js';
import { PasswordChangesService } from '../password-changes.service.js';
import { SessionCookie } from '../session-cookie.js';
import { ConfirmEmailPage, ForgotPage, ResetPage } from './mailed-links.views.js';

/** What mailed links lead to. Opening a page changes nothing: mail scanners open links too. */
@PageController()
export class MailedLinksController {
  constructor(
    private readonly forms: FormsService,
    private readonly sentForms: SentForms,
    private readonly cookie: SessionCookie,
    private readonly links: MailedLinksService,
    private readonly passwords: PasswordChangesService,
    private readonly emailChanges: EmailChangesService,
    private readonly ended: EndedCookie,
  ) {}

  @Get('forgot-password')
  showForgot(@Req() request: Request, @Res() response: Response): void {
    const owner = this.cookie.visitor(request, response);
    renderPage(response, { title: 'Forgot password', children: <ForgotPage owner={owner} /> });
  }

  @Post('forgot-password')
  async forgot(@Req() request: Request, @Res() response: Response): Promise<void> {
    const owner = this.cookie.visitor(request, response);
    const fields = await this.forms.read(request, owner);
    await this.sentForms.claim(fields);
    await this.passwords.requestReset(request, (fields.email ?? '').trim());
    renderPage(response, { title: 'Forgot password', children: <ForgotPage owner={owner} isAsked /> });
  }

  @Get('reset-password')
  async showReset(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { token = '' } = readQuery(request.originalUrl);
    if (!(await this.links.peek('reset', token))) throw linkIsNoGood();
    this.renderReset(request, response, token);
  }

  @Post('reset-password')
  async reset(@Req() request: Request, @Res() response: Response): Promise<void> {
    const owner = this.cookie.visitor(request, response);
    const { token = '', new_password = '' } = await this.forms.read(request, owner);
    let next = '/sign-in?done=password';
    const problem = await refusalOf(async () => {
      const ended = await this.passwords.reset(request, token, new_password);
      this.ended.keep(response, ended);
      // The page after the sign-in where the keys can be revoked.
      if (ended.keptKeys.length > 0) next = pathWith('/sign-in', { done: 'password', return_to: '/account/security' });
    });
    if (!problem) throw new SeeOther(next);
    this.renderReset(request, response, token, problem);
  }

  @Get('confirm-email')
  async showEmail(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { token = '' } = readQuery(request.originalUrl);
    const link = await this.links.peek('email-change', token);
    if (!link) throw linkIsNoGood();
    const owner = this.cookie.visitor(request, response);
    const children = <ConfirmEmailPage owner={owner} token={token} email={link.email} />;
    renderPage(response, { title: 'Confirm your address', children });
  }

  @Post('confirm-email')
  async confirmEmail(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { token = '' } = await this.forms.read(request, this.cookie.visitor(request, response));
    await this.emailChanges.confirm(token);
    throw new SeeOther('/account');
  }

  private renderReset(request: Request, response: Response, token: string, problem?: string): void {
    const owner = this.cookie.visitor(request, response);
    renderPage(response, {
      title: 'Set a new password',
      status: problem ? 400 : 200,
      children: <ResetPage owner={owner} token={token} problem={problem} />,
    });
  }
}
