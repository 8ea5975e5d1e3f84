import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { notFound } from '#errors';
import { isFresh, type SignedIn } from '../accounts/session.js';
import { SessionsService } from '../accounts/sessions.service.js';
import { FormsService } from '../../platform/pages/forms.service.js';
import { renderPage } from '../../platform/pages/page.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { pathWith, SeeOther } from '../../platform/pages/see-other.js';
import type { AskedApproval } from '../oauth/asked-approval.js';
import { AuthorizationServer } from '../oauth/authorization-server.js';
import { ConsentService, isSensitive, readAskBefore } from './consent.service.js';
import { ConsentPage } from './consent.views.js';
import { traceOf } from '../../platform/audit/act.js';

/** Where a person decides about an application; nothing is issued that did not pass through here. */
@PageController()
export class ConsentController {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly sessions: SessionsService,
    private readonly forms: FormsService,
    private readonly consent: ConsentService,
  ) {}

  @Get('consent/:uid')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { asked, signedIn } = await this.pending(request, response);
    if (isSensitive(asked)) await this.sessions.requireFresh(request, pathOf(asked));
    await this.render(response, asked, signedIn);
  }

  @Post('consent/:uid')
  async decide(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { asked, signedIn } = await this.pending(request, response);
    const trace = traceOf(request.context);
    const { decision, organizationId, askBefore } = await this.forms.read(request, signedIn);
    if (decision === 'cancel') {
      const note = () => this.consent.refuse(signedIn, asked, trace);
      throw onwards(await this.server.refuse(request, response, note));
    }
    if (decision !== 'authorize' || !organizationId) {
      return this.render(response, asked, signedIn, 'Choose an organization for the application.');
    }
    // A person who saw the page had proved who they are: Authorize completes the flow for as long as the application
    // waits.
    if (isSensitive(asked) && !isFresh(signedIn, Date.parse(asked.askedAt)))
      await this.sessions.requireFresh(request, pathOf(asked));
    const give = () => this.consent.approve(signedIn, asked, organizationId, readAskBefore(askBefore), trace);
    throw onwards(await this.server.approve(request, response, signedIn.userId, give));
  }

  /** @throws not_found_error where this browser has no such request; SeeOther to the sign-in. */
  private async pending(request: Request, response: Response): Promise<{ asked: AskedApproval; signedIn: SignedIn }> {
    const asked = await this.server.asked(request, response);
    if (!asked || asked.uid !== request.params.uid) throw notUnderWay();
    const signedIn = await this.sessions.current(request);
    if (!signedIn || (asked.signInAfter && signedIn.passwordAt < asked.signInAfter)) {
      throw new SeeOther(pathWith('/sign-in', { return_to: pathOf(asked) }));
    }
    return { asked, signedIn };
  }

  private async render(response: Response, asked: AskedApproval, signedIn: SignedIn, problem?: string): Promise<void> {
    const choices = await this.consent.choices(signedIn.userId, asked);
    renderPage(response, {
      title: `Authorize ${asked.clientName}`,
      status: problem ? 400 : 200,
      formTargets: [formTargetOf(asked.redirectUri)],
      children: <ConsentPage {...{ asked, choices, signedIn, problem }} path={pathOf(asked)} />,
    });
  }
}

const notUnderWay = () => notFound('request of an application', 'Go back to the application and connect it again.');

/** Where the response is sent, if the request is still open. */
const onwards = (address: string | undefined): Error => (address ? new SeeOther(address) : notUnderWay());

const pathOf = ({ uid }: AskedApproval): string => `/consent/${uid}`;

/** Browsers hold the redirects that follow a form against its page's policy, which cannot name an IPv6 address. */
function formTargetOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return hostname.startsWith('[') ? protocol : origin;
}
