import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { notFound } from '#errors';
import { SessionsService } from '../../../accounts/sessions.service.js';
import { readQuery } from '../../../edge/rest-input.js';
import { FormsService } from '../../../pages/forms.service.js';
import { renderPage } from '../../../pages/page.js';
import { PageController } from '../../../pages/page-controller.js';
import { pathWith, SeeOther } from '../../../pages/see-other.js';
import { ApprovalsService } from '../../oauth/approvals.service.js';
import { GrantsRepository } from '../../oauth/grants.repository.js';
import { revokeApplication } from '../applications.operations.js';
import { ApplicationsPage } from './applications-page.views.js';
import { traceOf } from '../../../events/audit/audit.service.js';

const path = '/account/applications';

/** What a person has let applications do, in all their organizations; they may always take it back. */
@PageController()
export class ApplicationsPageController {
  constructor(
    private readonly forms: FormsService,
    private readonly sessions: SessionsService,
    private readonly grants: GrantsRepository,
    private readonly approvals: ApprovalsService,
  ) {}

  @Get('account/applications')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const { done } = readQuery(request.originalUrl);
    const applications = await this.grants.listLive(signedIn.userId);
    renderPage(response, {
      title: 'Connected applications',
      children: <ApplicationsPage signedIn={signedIn} applications={applications} isRevoked={done === 'revoked'} />,
    });
  }

  @Post('account/applications/revoke')
  async revoke(@Req() request: Request): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const { application_id: id = '' } = await this.forms.read(request, signedIn);
    const own = (await this.grants.listLive(signedIn.userId)).find((grant) => grant.id === id);
    if (!own) throw notFound('application');
    const actor = { type: 'user' as const, id: signedIn.userId };
    const trace = traceOf(request.context);
    await this.approvals.end(own.id, 'revoked', () => ({ action: revokeApplication.name, actor, ...trace }));
    throw new SeeOther(pathWith(path, { done: 'revoked' }));
  }
}
