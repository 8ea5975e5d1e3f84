import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { readQuery } from '../../../platform/http/rest-input.js';
import { FormsService } from '../../../platform/pages/forms.service.js';
import { refusalOf } from '../../../platform/pages/messages.js';
import { renderPage } from '../../../platform/pages/page.js';
import { PageController } from '../../../platform/pages/page-controller.js';
import { pathWith, SeeOther } from '../../../platform/pages/see-other.js';
import { InvitationsService, type Joined } from '../../../tenancy/members/invitations.service.js';
import { linkIsNoGood } from '../../../tenancy/people/accounts.errors.js';
import { consolePath } from '../console-path.js';
import { SessionCookie } from '../session-cookie.js';
import { SessionsService } from '../sessions.service.js';
import { SignInService } from '../sign-in.service.js';
import { InvitationPage } from './invitation.views.js';

/** The page of an invitation: what it is for, and how to accept it. */
@PageController()
export class InvitationController {
  constructor(
    private readonly forms: FormsService,
    private readonly cookie: SessionCookie,
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    private readonly invitations: InvitationsService,
  ) {}

  @Get('accept-invitation')
  async showInvitation(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.renderInvitation(request, response, readQuery(request.originalUrl).token);
  }

  @Post('accept-invitation')
  async accept(@Req() request: Request, @Res() response: Response): Promise<void> {
    const owner = this.cookie.visitor(request, response);
    const { token = '', name = '', new_password = '' } = await this.forms.read(request, owner);
    const account = { name: name.trim(), password: new_password };
    let next = '';
    const problem = await refusalOf(async () => {
      next = await this.signInAs(request, response, await this.invitations.accept(token, account));
    });
    if (!problem) throw new SeeOther(next);
    await this.renderInvitation(request, response, token, problem);
  }

  /** The link proves an address, and no password: who has an account signs in with that. */
  private async signInAs(request: Request, response: Response, joined: Joined): Promise<string> {
    const home = consolePath(joined.slug);
    if (joined.isCreated) await this.signIn.withNewPassword(request, response, joined.userId);
    else if ((await this.sessions.current(request))?.userId !== joined.userId)
      return pathWith('/sign-in', { return_to: home });
    return home;
  }

  private async renderInvitation(request: Request, response: Response, token = '', problem?: string): Promise<void> {
    const invited = await this.invitations.find(token);
    if (!invited) throw linkIsNoGood();
    const owner = this.cookie.visitor(request, response);
    renderPage(response, {
      title: 'Invitation',
      status: problem ? 400 : 200,
      children: <InvitationPage owner={owner} token={token} problem={problem} {...invited} />,
    });
  }
}
