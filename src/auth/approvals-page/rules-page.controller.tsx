import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { type ApprovalMode, type Caller, may } from '#access';
import { forbidden } from '#errors';
import { TenantDatabase } from '#persistence';
import { readQuery } from '../../platform/http/rest-input.js';
import type { Fields } from '../../platform/pages/forms.service.js';
import { refusalOf } from '../../platform/pages/messages.js';
import { renderPage } from '../../platform/pages/page.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { pathWith, SeeOther } from '../../platform/pages/see-other.js';
import { type Membership, MembershipsRepository } from '../../tenancy/members/memberships.repository.js';
import { sessionCaller } from '../accounts/session-caller.js';
import { enrollmentPath, type SignedIn } from '../accounts/session.js';
import { SentForms } from '../accounts/sent-forms.service.js';
import { SensitiveForms } from '../accounts/sensitive-forms.service.js';
import { SessionsService } from '../accounts/sessions.service.js';
import { approvalModes } from '../approval-rules/approval-rule.dto.js';
import { ApprovalRulesService } from '../approval-rules/approval-rules.service.js';
import { RuleSubjects } from './rule-subjects.repository.js';
import { RulesPage, rulesPath } from './rules-page.views.js';

interface Standing {
  signedIn: SignedIn;
  /** The organizations whose rules this person may change. */
  memberships: Membership[];
  caller?: Caller;
}

const [leastMinutes, mostMinutes] = [1, 720];

/** What needs approval in an organization, for those who may change its settings. */
@PageController()
export class ApprovalRulesPageController {
  constructor(
    private readonly forms: SensitiveForms,
    private readonly sentForms: SentForms,
    private readonly sessions: SessionsService,
    private readonly memberships: MembershipsRepository,
    private readonly rules: ApprovalRulesService,
    private readonly subjects: RuleSubjects,
    private readonly database: TenantDatabase,
  ) {}

  @Get('account/approval-rules')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { org } = readQuery(request.originalUrl);
    const standing = await this.standing(request, await this.sessions.require(request), org);
    if (standing.caller?.secondFactorMissing)
      throw new SeeOther(enrollmentPath(pathWith(rulesPath, { org: standing.caller.orgId }), true));
    await this.render(response, standing);
  }

  @Post('account/approval-rules/add')
  add(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.change(request, response, (caller, { who = '', what = '', mode }) =>
      this.rules.add(caller, { ...subjectIn(who), what, mode: modeIn(mode) }),
    );
  }

  @Post('account/approval-rules/remove')
  remove(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.change(request, response, (caller, { rule_id: id = '' }) => this.rules.remove(caller, id));
  }

  @Post('account/approval-rules/settings')
  settings(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.change(request, response, (caller, { minutes = '', by_others: byOthers }) =>
      this.rules.change(caller, { minutes: minutesIn(minutes), byOthers: byOthers !== undefined }),
    );
  }

  /** Does what a form asks for, in one transaction. */
  private async change(
    request: Request,
    response: Response,
    work: (caller: Caller, fields: Fields) => Promise<unknown>,
  ): Promise<void> {
    const page = ({ org }: Fields): string => pathWith(rulesPath, org ? { org } : {});
    const { signedIn, fields } = await this.forms.read(request, { page });
    const standing = await this.standing(request, signedIn, fields.org);
    const { caller } = standing;
    if (!caller || caller.orgId !== fields.org) throw forbidden('Your role in this organization does not permit this.');
    if (caller.secondFactorMissing) throw forbidden('This organization requires a second factor. Add one first.');
    const problem = await refusalOf(async () => {
      await this.sentForms.claim(fields);
      await this.database.transaction(caller.orgId, async () => await work(caller, fields));
    });
    if (!problem) throw new SeeOther(pathWith(rulesPath, { org: caller.orgId }));
    await this.render(response, standing, problem);
  }

  private async standing(request: Request, signedIn: SignedIn, org: string | undefined): Promise<Standing> {
    const all = await this.memberships.of(signedIn.userId);
    const memberships = all.filter(({ permissions }) => permissions.includes('organization:manage'));
    const chosen = memberships.find(({ orgId }) => orgId === org) ?? memberships[0];
    const caller = chosen && sessionCaller(chosen, signedIn, request.context);
    return { signedIn, memberships, caller: caller && may(caller, 'organization:manage') ? caller : undefined };
  }

  private async render(response: Response, { signedIn, memberships, caller }: Standing, problem?: string) {
    const rules = caller ? await this.rules.list(caller) : [];
    renderPage(response, {
      title: 'Approval rules',
      status: problem ? 400 : 200,
      children: (
        <RulesPage
          {...{ signedIn, memberships, problem }}
          content={
            caller && {
              orgId: caller.orgId,
              rules,
              settings: await this.rules.settings(caller),
              subjects: await this.subjects.of(caller.orgId),
              former: await this.subjects.former(caller.orgId, rules),
              operations: this.rules.operations,
            }
          }
        />
      ),
    });
  }
}

/** An application for one person is written as both, with a space between them. */
function subjectIn(text: string): { who: string; userId: string | null } {
  const [who = '', userId = null] = text.split(' ');
  return { who, userId };
}

function modeIn(text: string | undefined): ApprovalMode {
  const mode = approvalModes.find((one) => one === text);
  if (!mode) throw forbidden('Choose what happens.');
  return mode;
}

function minutesIn(text: string): number {
  const minutes = Number(text);
  if (Number.isInteger(minutes) && minutes >= leastMinutes && minutes <= mostMinutes) return minutes;
  throw forbidden(`Enter ${leastMinutes} to ${mostMinutes} minutes.`);
}
