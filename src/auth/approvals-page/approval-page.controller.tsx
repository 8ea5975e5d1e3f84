import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { type Caller, may } from '#access';
import type { Answer } from '#errors';
import { ServiceError } from '#errors';
import { SessionsService } from '../accounts/sessions.service.js';
import { isFresh } from '../accounts/session.js';
import { Decisions } from '../approvals/decisions.service.js';
import { placesOf, type Rehearsed } from '../approvals/approval-requests.service.js';
import { statusOf } from '../approvals/approval-shown.js';
import { effectsHash } from '../approvals/effects-hash.js';
import { HeldRequests } from '../approvals/held-requests.service.js';
import { isWithinLimit } from '../approvals/may-decide.js';
import { SealedContent } from '../approvals/sealed-content.js';
import { Aftermath } from '../../platform/events/aftermath.js';
import { FormsService } from '../../platform/pages/forms.service.js';
import { renderPage } from '../../platform/pages/page.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { SeeOther } from '../../platform/pages/see-other.js';
import { ApprovalPages, type Deciding, isSensitive } from './approval-page.service.js';
import { ApprovalPage } from './approval-page.views.js';
import { RecordNames } from './record-names.repository.js';
import { withNew } from './new-names.js';
import { groupsOf, readableBy } from './shown-effects.js';

const longestNote = 500;
const changed =
  'Something is different now: the changes below, or the records that they are made to. Nothing was approved. Review the changes and decide again.';

/** Where a person sees what a request would do, and decides. */
@PageController()
export class ApprovalPageController {
  constructor(
    private readonly pages: ApprovalPages,
    private readonly sessions: SessionsService,
    private readonly forms: FormsService,
    private readonly requests: HeldRequests,
    private readonly decisions: Decisions,
    private readonly content: SealedContent,
    private readonly names: RecordNames,
    private readonly aftermath: Aftermath,
  ) {}

  @Get('approvals/:approvalId')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const deciding = await this.open(request);
    if (isPending(deciding) && this.isSensitive(deciding)) await this.sessions.requireFresh(request);
    await this.render(response, deciding, await this.rehearse(deciding));
  }

  @Post('approvals/:approvalId')
  async decide(@Req() request: Request, @Res() response: Response): Promise<void> {
    const deciding = await this.open(request);
    const { signedIn, person, approval } = deciding;
    const { decision, effects, note = '' } = await this.forms.read(request, signedIn);
    const path = pathOf(deciding);
    if (!isPending(deciding)) throw new SeeOther(path);
    if (decision === 'refuse') {
      await this.decisions.refuse(person, approval, note.trim().slice(0, longestNote) || null);
      throw new SeeOther(path);
    }
    if (this.isSensitive(deciding) && !isFresh(signedIn)) await this.sessions.requireFresh(request, path);
    const rehearsed = await this.rehearse(deciding);
    const isSame = 'happened' in rehearsed && hashOf(rehearsed) === effects;
    if (decision !== 'approve' || !isSame) {
      // It differs also where somebody else has approved it by now, and it was carried out.
      const now = await this.open(request);
      if (!isPending(now)) throw new SeeOther(path);
      return await this.render(response, now, rehearsed, changed);
    }
    await this.decisions.approve(person, approval, rehearsed);
    throw new SeeOther(path);
  }

  private async open(request: Request): Promise<Deciding> {
    const signedIn = await this.sessions.require(request);
    return await this.pages.open(signedIn, String(request.params.approvalId), request.context);
  }

  private isSensitive({ operation, approval }: Deciding): boolean {
    return isSensitive(operation, this.content.request(approval).fields);
  }

  /** What it would do at this moment, as its credential; or why it would not. */
  private async rehearse({ approval, person }: Deciding): Promise<Rehearsed | Answer> {
    if (statusOf(approval) !== 'pending') return { happened: [], startedAt: 0 };
    const rehearsed = await this.requests.rehearse(approval).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      const { status, code, message, headers } = error;
      return refusal({ status, code, headers, message });
    });
    const isBeyond =
      'happened' in rehearsed &&
      !isWithinLimit({ caller: approval.caller, propertyIds: placesOf(rehearsed.happened) }, person);
    return isBeyond ? refusal({ status: 403, code: 'FORBIDDEN', headers: {}, message: beyond }) : rehearsed;
  }

  private async namesIn(person: Caller, shown: unknown, rehearsed: Rehearsed | Answer) {
    const happened = 'happened' in rehearsed ? rehearsed.happened.filter(readableBy(person)) : [];
    return withNew(await this.names.in(person, shown), happened);
  }

  private async render(
    response: Response,
    deciding: Deciding,
    rehearsed: Rehearsed | Answer,
    problem?: string,
  ): Promise<void> {
    const { signedIn, person, membership, approval, operation } = deciding;
    const status = statusOf(approval);
    const isShown = 'happened' in rehearsed && status === 'pending';
    const fields = this.pages.fieldsOf(deciding);
    const mask = (of: object) => this.pages.masked(operation, mayReadReferences(person) ? of : withoutReferences(of));
    const shownOf = (id: string) => this.pages.shownOf(id);
    const groups = isShown ? groupsOf(person, rehearsed.happened, { fields, mask, shownOf }) : undefined;
    const follows = isShown ? await this.aftermath.foresee(person, rehearsed.happened) : [];
    const refused = 'value' in rehearsed && 'error' in rehearsed.value ? rehearsed.value.error.message : undefined;
    // Until it is carried out, the page looks again.
    if (status === 'approved') response.set('Refresh', '2');
    renderPage(response, {
      title: approval.summary,
      status: problem ? 409 : 200,
      children: (
        <ApprovalPage
          {...{ signedIn, status, groups, follows }}
          path={pathOf({ approval })}
          organization={membership.organization}
          requester={await this.pages.requesterOf(approval)}
          title={operation.title}
          description={this.pages.descriptionOf(operation)}
          reason={approval.reason}
          note={approval.note}
          fields={fields}
          names={await this.namesIn(person, [fields, groups, approval.decidedBy], rehearsed)}
          decidedBy={approval.decidedBy}
          decidedAt={approval.decidedAt}
          requestedAt={approval.createdAt}
          expiresAt={approval.expiresAt}
          effectsHash={isShown ? hashOf(rehearsed) : undefined}
          callsOut={operation.transaction === 'own' || operation.modelBacked === true}
          problem={
            refused
              ? `It cannot be approved now: ${refused}`
              : (problem ?? (isAskedAgain(approval) ? askedAgain : undefined))
          }
        />
      ),
    });
  }
}

/** Ids in other systems need a permission of their own. */
const mayReadReferences = (person: Caller): boolean => may(person, 'connections:read');
const withoutReferences = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'externalRefs'));

const beyond = 'It would change records of a property that you do not have access to.';

const refusal = ({ message, ...refused }: Pick<ServiceError, 'status' | 'code' | 'headers' | 'message'>): Answer => ({
  ...refused,
  value: { error: { type: '', code: refused.code, message }, meta: { requestId: '' } },
});

const pathOf = ({ approval }: Pick<Deciding, 'approval'>): string => `/approvals/${approval.id}`;

const hashOf = ({ happened, startedAt }: Rehearsed): string => effectsHash(happened, startedAt);

const isPending = ({ approval }: Deciding): boolean => statusOf(approval) === 'pending';

const askedAgain = 'It was approved, but the changes were different by then, so nothing was changed. Decide again.';

/** It was approved once, and what it would change differed when it was to be carried out. */
const isAskedAgain = ({ status, decidedAt }: Deciding['approval']): boolean =>
  status === 'pending' && decidedAt !== null;
