import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { notFound } from '#errors';
import { traceOf } from '../../platform/audit/act.js';
import { readQuery } from '../../platform/http/rest-input.js';
import { refusalOf } from '../../platform/pages/messages.js';
import { renderPage } from '../../platform/pages/page.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { pathWith, SeeOther } from '../../platform/pages/see-other.js';
import { type Membership, MembershipsRepository } from '../../tenancy/members/memberships.repository.js';
import type { SignedIn } from '../accounts/session.js';
import { SentForms } from '../accounts/sent-forms.service.js';
import { SensitiveForms } from '../accounts/sensitive-forms.service.js';
import { SessionsService } from '../accounts/sessions.service.js';
import { Departures } from './departures.service.js';
import { DeleteAccountPage, LeavePage } from './leaving.views.js';

/** Leaving an organization, and deleting one's account. */
@PageController()
export class LeavingController {
  constructor(
    private readonly forms: SensitiveForms,
    private readonly sentForms: SentForms,
    private readonly sessions: SessionsService,
    private readonly memberships: MembershipsRepository,
    private readonly departures: Departures,
  ) {}

  @Get('account/leave')
  async showLeave(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.requireFresh(request);
    this.renderLeave(response, signedIn, await this.membership(signedIn, readQuery(request.originalUrl).org));
  }

  @Post('account/leave')
  async leave(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { signedIn, fields } = await this.forms.read(request, { page: '/account' });
    const membership = await this.membership(signedIn, fields.org);
    const problem = await refusalOf(async () => {
      await this.sentForms.claim(fields);
      await this.departures.leave(signedIn, traceOf(request.context), membership.orgId);
    });
    if (!problem) throw new SeeOther(pathWith('/account', { done: 'left' }));
    this.renderLeave(response, signedIn, membership, problem);
  }

  @Get('account/delete')
  async showDelete(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.requireFreshFactor(request);
    await this.renderDelete(response, signedIn);
  }

  @Post('account/delete')
  async delete(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { signedIn, fields } = await this.forms.read(request, { page: '/account/delete', factor: 'factor' });
    const isSame = (fields.email ?? '').trim().toLowerCase() === signedIn.email.toLowerCase();
    const problem = isSame
      ? await refusalOf(async () => {
          await this.sentForms.claim(fields);
          await this.departures.deleteAccount(signedIn, traceOf(request.context));
        })
      : 'Enter the address that you sign in with.';
    if (problem) return await this.renderDelete(response, signedIn, problem);
    await this.sessions.end(request, response);
    throw new SeeOther(pathWith('/sign-in', { done: 'deleted' }));
  }

  /** @throws not_found_error for an organization of others. */
  private async membership({ userId }: SignedIn, orgId: string | undefined): Promise<Membership> {
    const found = (await this.memberships.of(userId)).find((membership) => membership.orgId === orgId);
    if (!found) throw notFound('organization', 'Choose one on your account page.');
    return found;
  }

  private renderLeave(response: Response, signedIn: SignedIn, membership: Membership, problem?: string): void {
    renderPage(response, {
      title: `Leave ${membership.organization}`,
      status: problem ? 409 : 200,
      children: <LeavePage {...{ signedIn, membership, problem }} />,
    });
  }

  private async renderDelete(response: Response, signedIn: SignedIn, problem?: string): Promise<void> {
    const memberships = await this.memberships.of(signedIn.userId);
    renderPage(response, {
      title: 'Delete your account',
      status: problem ? 400 : 200,
      children: <DeleteAccountPage {...{ signedIn, memberships, problem }} />,
    });
  }
}
