import { once } from 'node:events';
import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { notFound } from '#errors';
import { type Act, traceOf } from '../../platform/audit/act.js';
import { readQuery } from '../../platform/http/rest-input.js';
import { refusalOf } from '../../platform/pages/messages.js';
import { renderPage } from '../../platform/pages/page.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { pathWith, SeeOther } from '../../platform/pages/see-other.js';
import { Closings, type OwnedOrganization } from '../../tenancy/closing/closings.service.js';
import { OrganizationExports } from '../../tenancy/closing/organization-exports.js';
import { enrollmentPath, type SignedIn } from '../accounts/session.js';
import { SentForms } from '../accounts/sent-forms.service.js';
import { SensitiveForms } from '../accounts/sensitive-forms.service.js';
import { SessionsService } from '../accounts/sessions.service.js';
import { type Happened, OrganizationPage } from './organization-page.views.js';

const path = '/account/organization';

/** An owner's last resorts: exporting, closing and reopening an organization, each with a recent proof of identity. */
@PageController()
export class OrganizationPageController {
  constructor(
    private readonly forms: SensitiveForms,
    private readonly sentForms: SentForms,
    private readonly sessions: SessionsService,
    private readonly closings: Closings,
    private readonly exports: OrganizationExports,
  ) {}

  @Get('account/organization')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.requireFreshFactor(request);
    const { org, done } = readQuery(request.originalUrl);
    await this.render(response, signedIn, await this.owned(signedIn, org), { done: done as Happened | undefined });
  }

  @Get('account/organization/export')
  async download(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.requireFreshFactor(request);
    const { org, id = '' } = readQuery(request.originalUrl);
    const { id: orgId, slug } = await this.owned(signedIn, org);
    const parts = this.exports.parts(orgId, id);
    const first = await parts.next();
    if (first.done) throw notFound('export', 'Request a new one.');
    response.set({
      'Content-Type': 'application/gzip',
      'Content-Disposition': `attachment; filename="${slug}.ndjson.gz"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.write(first.value);
    for await (const part of parts) {
      if (response.closed) return;
      if (!response.write(part)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end();
  }

  @Post('account/organization/export')
  requestExport(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.answer(request, response, 'exportOrganization', 'export', (orgId, act) =>
      this.exports.request(orgId, act),
    );
  }

  @Post('account/organization/close')
  close(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.answer(request, response, 'closeOrganization', 'closed', (orgId, act) =>
      this.closings.close(orgId, act),
    );
  }

  @Post('account/organization/reopen')
  reopen(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.answer(request, response, 'reopenOrganization', 'reopened', (orgId, act) =>
      this.closings.reopen(orgId, act),
    );
  }

  private async answer(
    request: Request,
    response: Response,
    action: string,
    done: Happened,
    work: (orgId: string, act: Act) => Promise<void>,
  ): Promise<void> {
    const { signedIn, fields } = await this.forms.read(request, { page: '/account', factor: 'factor' });
    const { org, name } = fields;
    const organization = await this.owned(signedIn, org);
    const act = { action, actor: { type: 'user' as const, id: signedIn.userId }, ...traceOf(request.context) };
    const isSure = done !== 'closed' || name?.trim() === organization.name;
    const workOnce = async () => {
      await this.sentForms.claim(fields);
      await work(organization.id, act);
    };
    const problem = isSure ? await refusalOf(workOnce) : 'Enter the name of the organization.';
    if (!problem) throw new SeeOther(pathWith(path, { org: organization.id, done }));
    await this.render(response, signedIn, organization, { problem });
  }

  /** @throws not_found_error for organizations that the person does not own; SeeOther where a second factor is missing. */
  private async owned({ userId, hasSecondFactor }: SignedIn, org: string | undefined): Promise<OwnedOrganization> {
    const found = (await this.closings.ownedBy(userId)).find(({ id }) => id === org);
    if (!found) throw notFound('organization', 'Only its owners can export or close it.');
    if (found.requireTwoFactor && !hasSecondFactor)
      throw new SeeOther(enrollmentPath(pathWith(path, { org: found.id }), true));
    return found;
  }

  private async render(
    response: Response,
    signedIn: SignedIn,
    organization: OwnedOrganization,
    told: { problem?: string; done?: Happened },
  ): Promise<void> {
    const exports = await this.exports.list(organization.id);
    renderPage(response, {
      title: organization.name,
      status: told.problem ? 400 : 200,
      children: <OrganizationPage {...{ signedIn, organization, exports }} {...told} />,
    });
  }
}
