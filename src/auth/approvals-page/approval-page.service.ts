import { Injectable } from '@nestjs/common';
import type { Caller, SessionCredential } from '#access';
import type { RequestContext } from '#context';
import { forbidden, notFound } from '#errors';
import { allCarriedOut, idPattern, type Operation, withoutSecrets } from '#operations';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { isPermission, permissions } from '../../platform/callers/permissions.js';
import { type Membership, MembershipsRepository } from '../../tenancy/members/memberships.repository.js';
import { sessionCaller } from '../accounts/session-caller.js';
import type { SignedIn } from '../accounts/session.js';
import { ApprovalRulesRepository } from '../approval-rules/approval-rules.repository.js';
import type { Approval } from '../approvals/approval.entity.js';
import { ApprovalsRepository } from '../approvals/approvals.repository.js';
import { KnownOperations } from '../approvals/known-operations.js';
import { mayDecide } from '../approvals/may-decide.js';
import { SealedContent } from '../approvals/sealed-content.js';
import type { Requester } from './approval-page.views.js';
import { forPeople } from './for-people.js';

/** Somebody who may decide, and about what. */
export interface Deciding {
  signedIn: SignedIn;
  person: Caller<SessionCredential>;
  membership: Membership;
  approval: Approval;
  operation: Operation;
}

const orgs = idColumn('org');

/** Who asks and who may decide. Everyone else learns nothing, not even that there is something. */
@Injectable()
export class ApprovalPages {
  constructor(
    private readonly system: SystemDatabase,
    private readonly approvals: ApprovalsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly operations: KnownOperations,
    private readonly rules: ApprovalRulesRepository,
    private readonly content: SealedContent,
  ) {}

  /** @throws not_found_error for everyone who may not decide. */
  async open(signedIn: SignedIn, id: string, context: RequestContext): Promise<Deciding> {
    const approval = await this.find(id);
    const membership = (await this.memberships.of(signedIn.userId)).find(({ orgId }) => orgId === approval?.orgId);
    if (!approval || !membership) throw noSuchPage();
    const { byOthers } = await this.rules.settings(approval.orgId);
    const deciding = this.deciding(signedIn, membership, approval, byOthers, context);
    if (!deciding) throw noSuchPage();
    if (deciding.person.secondFactorMissing)
      throw forbidden('This organization requires a second factor. Add one first.');
    return deciding;
  }

  /** All that somebody may decide about at this moment. */
  async waitingFor(signedIn: SignedIn, context: RequestContext): Promise<Deciding[]> {
    const found: Deciding[] = [];
    for (const membership of await this.memberships.of(signedIn.userId)) {
      found.push(...(await this.within(signedIn, membership, 'pending', context)));
    }
    return found;
  }

  /** What somebody may decide about in one organization, or might have. */
  async within(
    signedIn: SignedIn,
    membership: Membership,
    which: 'pending' | 'decided',
    context: RequestContext,
  ): Promise<Deciding[]> {
    const { byOthers } = await this.rules.settings(membership.orgId);
    const approvals = await this.approvals[which](membership.orgId);
    return approvals.flatMap((one) => this.deciding(signedIn, membership, one, byOthers, context) ?? []);
  }

  private deciding(
    signedIn: SignedIn,
    membership: Membership,
    approval: Approval,
    byOthers: boolean,
    context: RequestContext,
  ): Deciding | undefined {
    const operation = this.operations.find(approval.operation);
    const person = sessionCaller(membership, signedIn, context);
    if (!operation || !mayDecide(approval, operation, person, byOthers)) return undefined;
    return { signedIn, person, membership, approval, operation };
  }

  /** What is requested. A person may decide without permission to see its secrets, so these are masked for everyone. */
  fieldsOf({ approval, operation }: Pick<Deciding, 'approval' | 'operation'>): Record<string, unknown> {
    return approval.input ? this.masked(operation, this.content.request(approval).fields) : {};
  }

  /** Fields of an input, or of the record that it changes, as they may be shown. */
  masked({ input }: Operation, fields: object): Record<string, unknown> {
    return withoutSecrets(input, fields, (name) => this.operations.find(name));
  }

  /** The names of the fields that people know of a record. */
  shownOf(id: string): ReadonlySet<string> {
    return this.operations.shownOf(id);
  }

  descriptionOf({ description }: Operation): string {
    return forPeople(description, (name) => this.operations.find(name) !== undefined);
  }

  async requesterOf({ orgId, caller }: Approval): Promise<Requester> {
    const { credential, userId } = caller;
    const isKey = credential.kind === 'api-key';
    const [row] = await this.system.rows(
      isKey
        ? 'select name, false as verified from api_keys where org_id = $1 and id = $2'
        : 'select client_name as name, verified from oauth_grants where org_id = $1 and id = $2',
      [uuidIn(orgId), 'id' in credential ? uuidIn(credential.id) : null],
    );
    const [user] = userId ? await this.system.rows('select name from users where id = $1', [uuidIn(userId)]) : [];
    return {
      name: (row?.name as string | undefined) ?? 'unknown',
      kind: isKey ? 'key' : 'application',
      verified: (row?.verified as boolean | undefined) ?? false,
      onBehalfOf: (user?.name as string | undefined) ?? null,
    };
  }

  private async find(id: string): Promise<Approval | undefined> {
    if (!idPattern('approval').test(id)) return undefined;
    const [row] = await this.system.rows('select org_id from approvals where id = $1', [uuidIn(id)]);
    return row && (await this.approvals.find(orgs.from(row.org_id) as string, id));
  }
}

const noSuchPage = () => notFound('page', 'Check the address, and that you are signed in as the right person.');

/** Whether the decision wants a password or a factor that is younger than ten minutes. */
export const isSensitive = (operation: Operation, input: object): boolean =>
  allCarriedOut(operation, input).some(
    ({ effect, scope = '', showsSecret }) =>
      effect === 'destructive' ||
      showsSecret !== undefined ||
      (isPermission(scope) && permissions[scope].group === 'sensitive'),
  );
