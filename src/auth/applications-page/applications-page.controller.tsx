import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { notFound } from '#errors';
import { AccessEndings } from '../accounts/access-endings.service.js';
import { SessionsService } from '../accounts/sessions.service.js';
import { readQuery } from '../../platform/http/rest-input.js';
import { FormsService } from '../../platform/pages/forms.service.js';
import { renderPage } from '../../platform/pages/page.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { pathWith, SeeOther } from '../../platform/pages/see-other.js';
import { GrantsRepository } from '../oauth/grants.repository.js';
import { ApplicationsPage, type Happened } from './applications-page.views.js';
import { traceOf } from '../../platform/audit/act.js';

const path = '/account/applications';

/** What a person has let applications do, in all their organizations; they may always take it back. */
@PageController()
export class ApplicationsPageController {
  constructor(
    private readonly forms: FormsService,
    private readonly sessions: SessionsService,
    private readonly grants: GrantsRepository,
    private readonly endings: AccessEndings,
  ) {}

  @Get('account/applications')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const { done } = readQuery(request.originalUrl);
    const applications = await this.grants.listLive(signedIn.userId);
    renderPage(response, {
      title: 'Connected applications',
      children: (
        <ApplicationsPage signedIn={signedIn} applications={applications} done={done as Happened | undefined} />
      ),
    });
  }

  @Post('account/applications/revoke')
  async revoke(@Req() request: Request): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const { application_id } = await this.forms.read(request, signedIn);
    const trace = traceOf(request.context);
    const ended = await this.endings.endApprovals(signedIn.userId, trace, ({ id }) => id === application_id);
    if (ended === 0) throw notFound('application', 'Reload the page.');
    throw new SeeOther(pathWith(path, { done: 'revoked' }));
  }

  @Post('account/applications/revoke-all')
  async revokeAll(@Req() request: Request): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const { approved_before: last = '' } = await this.forms.read(request, signedIn);
    const trace = traceOf(request.context);
    await this.endings.endApprovals(signedIn.userId, trace, ({ createdAt }) => createdAt <= last);
    throw new SeeOther(pathWith(path, { done: 'all' }));
  }
}
