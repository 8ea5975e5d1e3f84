import type { Request, Response } from 'express';
import { Get, Req, Res } from '@nestjs/common';
import { renderPage } from '../../platform/pages/page.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { AccountPage, Moment } from '../accounts/pages/account-page.js';
import { SessionsService } from '../accounts/sessions.service.js';
import { ApprovalSubjects } from './approval-subjects.service.js';
import { ApprovalPages } from './approval-page.service.js';

/** What waits for the person who is signed in, in all their organizations. */
@PageController()
export class OwnApprovalsPageController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly pages: ApprovalPages,
    private readonly subjects: ApprovalSubjects,
  ) {}

  @Get('account/approvals')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const waiting = await this.pages.waitingFor(signedIn, request.context);
    const subjects = await this.subjects.of(waiting);
    renderPage(response, {
      title: 'Approvals',
      children: (
        <AccountPage signedIn={signedIn} place="/account/approvals">
          <h1>Approvals</h1>
          <section class="panel">
            {waiting.length === 0 && <p>Nothing is waiting for you.</p>}
            <ul class="rows">
              {waiting.map(({ approval: { id, summary, createdAt, expiresAt }, membership }) => (
                <li key={id}>
                  <a href={`/approvals/${id}`}>{summary}</a>
                  <span>{subjects.get(id)}</span>
                  <small>
                    in {membership.organization} · requested <Moment at={createdAt} /> · expires{' '}
                    <Moment at={expiresAt} />
                  </small>
                </li>
              ))}
            </ul>
          </section>
        </AccountPage>
      ),
    });
  }
}
