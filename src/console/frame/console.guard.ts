import type { Request } from 'express';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { notFound } from '#errors';
import { sessionCaller } from '../../auth/accounts/session-caller.js';
import type { SignedIn } from '../../auth/accounts/session.js';
import { SessionsService } from '../../auth/accounts/sessions.service.js';
import { OpenRequests } from '../../edge/overload/open-requests.js';
import { MemberActivity } from '../../tenancy/members/member-activity.service.js';
import { type Membership, MembershipsRepository } from '../../tenancy/members/memberships.repository.js';

/** Who looks at the console, and where they are a member. */
export interface Visitor {
  readonly signedIn: SignedIn;
  readonly membership: Membership;
  readonly memberships: readonly Membership[];
}

const visitors = new WeakMap<Request, Visitor>();

/** What the guard found out about a request. */
export const visitorOf = (request: Request): Visitor => visitors.get(request) as Visitor;

/**
 * Authenticates a request to the console by its session, so that the guards of the edge after it count it for the person
 * and the request log keeps it. Only what has no session counts against its address.
 */
@Injectable()
export class ConsoleGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionsService,
    private readonly memberships: MembershipsRepository,
    private readonly activity: MemberActivity,
    private readonly open: OpenRequests,
  ) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    const request = host.switchToHttp().getRequest<Request>();
    const signedIn = await this.sessions.current(request);
    const memberships = signedIn ? await this.memberships.of(signedIn.userId) : [];
    const membership = memberships.find(({ slug }) => slug === request.params.slug);
    if (!membership || !signedIn) await this.open.admit(request, { needsDatabase: true });
    if (!signedIn) await this.sessions.require(request);
    // Whether there is an organization of that name is nobody else's business.
    if (!membership || !signedIn) throw notFound('page', 'Check its address.');
    visitors.set(request, { signedIn, membership, memberships });
    await this.activity.note(membership.orgId, membership.memberId);
    request.context.caller = sessionCaller(membership, signedIn, request.context);
    return true;
  }
}
