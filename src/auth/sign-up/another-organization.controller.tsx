import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { refusalOf } from '../../platform/pages/messages.js';
import { renderPage } from '../../platform/pages/page.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { SeeOther } from '../../platform/pages/see-other.js';
import { anotherOrganizationPath, consolePath } from '../accounts/console-path.js';
import { SentForms } from '../accounts/sent-forms.service.js';
import { SensitiveForms } from '../accounts/sensitive-forms.service.js';
import { SessionsService } from '../accounts/sessions.service.js';
import { SignUpService } from './sign-up.service.js';
import { AnotherOrganizationPage } from './sign-up.views.js';

/** Another organization, for people who have an account: they have proven their address. */
@PageController()
export class AnotherOrganizationController {
  constructor(
    private readonly forms: SensitiveForms,
    private readonly sentForms: SentForms,
    private readonly sessions: SessionsService,
    private readonly signUp: SignUpService,
  ) {}

  @Get(anotherOrganizationPath)
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.requireFresh(request);
    this.signUp.requireOpen();
    renderPage(response, { title, children: <AnotherOrganizationPage owner={signedIn} /> });
  }

  @Post(anotherOrganizationPath)
  async create(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { signedIn, fields } = await this.forms.read(request, { page: anotherOrganizationPath });
    const organizationName = (fields.organizationName ?? '').trim();
    const { userId, email, name } = signedIn;
    let home = '';
    const problem = await refusalOf(async () => {
      await this.sentForms.claim(fields);
      const { organization } = await this.signUp.foundAnother(request, { userId, email, name }, organizationName);
      home = consolePath(organization.slug);
    });
    if (!problem) throw new SeeOther(home);
    renderPage(response, {
      title,
      status: 400,
      children: <AnotherOrganizationPage owner={signedIn} {...{ organizationName, problem }} />,
    });
  }
}

const title = 'Create an organization';
