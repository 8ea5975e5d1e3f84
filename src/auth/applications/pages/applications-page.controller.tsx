import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { notFound } from '#errors';
import { SystemDatabase } from '#system-database';
import { SessionsService } from '../../../accounts/sessions.service.js';
import { readQuery } from '../../../edge/rest-input.js';
import { FormsService } from '../../../pages/forms.service.js';
import { renderPage } from '../../../pages/page.js';
import { PageController } from '../../../pages/page-controller.js';
import { pathWith, SeeOther } from '../../../pages/see-other.js';
import { ApprovalEvents } from '../../oauth/approval-events.js';
import { GrantsRepository } from '../../oauth/grants.repository.js';
import { applicationRevoked } from '../applications.events.js';
import { revokeApplication } from '../applications.operations.js';
import { ApplicationsPage } from './applications-page.views.js';

const path = '/account/applications';

/** What a person has let applications do, in all their organizations; they may always take it back. */
@PageController()
export class ApplicationsPageController {
  constructor(
    private readonly forms: FormsService,
    private readonly sessions: SessionsService,
    private readonly grants: GrantsRepository,
    private readonly database: SystemDatabase,
    private readonly approvals: ApprovalEvents,
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
    await this.database.transaction(async () => {
      const ended = await this.grants.revoke(own.id, 'revoked');
      if (!ended) return;
      const actor = { type: 'user' as const, id: signedIn.userId };
      const { requestId } = request.context;
      await this.approvals.record({ action: revokeApplication.name, actor, requestId }, applicationRevoked, ended);
    });
    throw new SeeOther(pathWith(path, { done: 'revoked' }));
  }
}
