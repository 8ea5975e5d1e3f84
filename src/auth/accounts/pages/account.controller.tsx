import type { Request, Response } from 'express';
import { Get, Inject, Post, Req, Res } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/app.config.js';
import { readQuery } from '../../../platform/http/rest-input.js';
import { Closings } from '../../../tenancy/closing/closings.service.js';
import { MembershipsRepository } from '../../../tenancy/members/memberships.repository.js';
import { FormsService } from '../../../platform/pages/forms.service.js';
import { refusalOf } from '../../../platform/pages/messages.js';
import { renderPage } from '../../../platform/pages/page.js';
import { PageController } from '../../../platform/pages/page-controller.js';
import { SeeOther } from '../../../platform/pages/see-other.js';
import { EmailChangesService } from '../email-changes.service.js';
import { NameChanges } from '../name-changes.service.js';
import type { SignedIn } from '../session.js';
import { SentForms } from '../sent-forms.service.js';
import { SessionsService } from '../sessions.service.js';
import { SignInService } from '../sign-in.service.js';
import { type Happened, OverviewPage } from './account.views.js';

/** The person's name, organizations and sign-in address. */
@PageController()
export class AccountController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly forms: FormsService,
    private readonly sentForms: SentForms,
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    private readonly memberships: MembershipsRepository,
    private readonly emailChanges: EmailChangesService,
    private readonly names: NameChanges,
    private readonly closings: Closings,
  ) {}

  @Get('account')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { done } = readQuery(request.originalUrl);
    await this.render(response, await this.sessions.require(request), { done: done as Happened | undefined });
  }

  @Post('account/name')
  async changeName(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const fields = await this.forms.read(request, signedIn);
    const { name = '' } = fields;
    const nameProblem = await refusalOf(async () => {
      await this.sentForms.claim(fields);
      await this.names.change(signedIn, name.trim());
    });
    if (!nameProblem) throw new SeeOther('/account?done=name');
    await this.render(response, signedIn, { nameProblem, name });
  }

  @Post('account/email')
  async changeEmail(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.requireAnyFactor(request, '/account');
    const fields = await this.forms.read(request, signedIn);
    const { email = '', password = '' } = fields;
    const problem = (await this.signIn.isPasswordOf(request, signedIn, password))
      ? await refusalOf(async () => {
          await this.sentForms.claim(fields);
          await this.emailChanges.request(request, signedIn, email.trim());
        })
      : 'The password is incorrect.';
    if (!problem) throw new SeeOther('/account?done=email-asked');
    await this.render(response, signedIn, { problem, email });
  }

  private async render(
    response: Response,
    signedIn: SignedIn,
    told: { problem?: string; email?: string; nameProblem?: string; name?: string; done?: Happened },
  ): Promise<void> {
    const memberships = await this.memberships.of(signedIn.userId);
    const owned = await this.closings.ownedBy(signedIn.userId);
    const isOpen = this.config.signUp === 'open';
    renderPage(response, {
      title: 'Your account',
      status: told.problem || told.nameProblem ? 400 : 200,
      children: <OverviewPage signedIn={signedIn} {...{ memberships, owned, isOpen }} {...told} />,
    });
  }
}
