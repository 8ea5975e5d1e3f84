import { Inject, Injectable } from '@nestjs/common';
import type { AskBefore } from '#access';
import { forbidden } from '#errors';
import { idColumn, newId, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { SignedIn } from '../accounts/session.js';
import { SessionsService } from '../accounts/sessions.service.js';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import type { Trace } from '../../platform/audit/act.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import {
  type BuiltInRole,
  isPermission,
  type Permission,
  permissions,
  permissionsOf,
} from '../../platform/callers/permissions.js';
import { GrantsService } from '../oauth/grants.service.js';
import type { AskedApproval } from '../oauth/asked-approval.js';
import { Grant } from '../applications/grant.entity.js';
import { audienceOf } from '../bearer/audience.js';
import { offlineAccess } from '../oauth/scopes.js';

/** An organization that the application could work in, with this person's situation there. */
export interface Choice {
  orgId: string;
  name: string;
  /** The requested permissions that the person does not have there, so the application cannot have them either. */
  lacking: Permission[];
  /** When the approval that this one would replace was given. */
  replaces: string | null;
  /** What the last approval asked the person for first, also if it has ended. */
  askBefore: AskBefore | null;
  /** The organization requires a second factor and the person has none. */
  secondFactorMissing: boolean;
  /** The organization does not admit the application. */
  isForbidden: boolean;
}

/** Whether some of the requested permissions are shown as sensitive. */
export const isSensitive = (asked: AskedApproval): boolean =>
  permissionsIn(asked).some((name) => permissions[name].group === 'sensitive');

/** The person's choice. An unknown one counts as none. */
export const readAskBefore = (text: string | undefined): AskBefore =>
  askBeforeChoices.find(([choice]) => choice === text)?.[0] ?? 'nothing';

/** The choices at consent, from the loosest to the strictest. */
export const askBeforeChoices = [
  ['nothing', 'nothing'],
  ['destructive', 'destructive actions'],
  ['write', 'every change'],
] as const satisfies [AskBefore, string][];

export const permissionsIn = ({ scopes }: AskedApproval): Permission[] => scopes.filter(isPermission);

const orgIds = idColumn('org');

const memberships = `
  select o.id, o.name, r.built_in as "builtIn", r.permissions, g.created_at as replaces,
         (select ask_before from oauth_grants l where l.org_id = m.org_id and l.user_id = m.user_id and l.client_id = $2
           order by l.created_at desc limit 1) as "askBefore",
         o.require_two_factor and not u.has_second_factor as "secondFactorMissing",
         o.self_registered_applications = 'forbidden' and not $3 and $2 <> all (o.allowed_client_ids) as "isForbidden"
    from members m
    join users u on u.id = m.user_id
    join organizations o on o.id = m.org_id and o.status = 'active'
    join roles r on r.org_id = m.org_id and r.id = m.role_id
    left join oauth_grants g on g.org_id = m.org_id and g.user_id = m.user_id and g.client_id = $2 and g.revoked_at is null
   where m.user_id = $1 and m.status = 'active'
   order by o.name, o.id`;

/**
 * A person's decision about an application. It runs above the organizations, because the person chooses one of them
 * here.
 */
@Injectable()
export class ConsentService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
    private readonly audit: AuditService,
    private readonly grants: GrantsService,
    private readonly sessions: SessionsService,
  ) {}

  choices(userId: string, asked: AskedApproval): Promise<Choice[]> {
    return this.offered(memberships, userId, asked);
  }

  /**
   * Writes the approval, and replaces an earlier one of the same application, person and organization, whose tokens end
   * with it (specification, authorization lifecycle).
   *
   * @throws authorization_error if the person is not a member or the organization does not admit the application.
   */
  async approve(
    signedIn: SignedIn,
    asked: AskedApproval,
    orgId: string,
    askBefore: AskBefore,
    trace: Trace,
  ): Promise<string> {
    const { userId } = signedIn;
    return await this.database.transaction(async () => {
      await this.sessions.lock(signedIn);
      // Waits for an organization that is about to forbid the application; that change ends the approvals given before
      // it.
      const choices = await this.offered(`${memberships} for share of o`, userId, asked);
      const choice = choices.find((offered) => offered.orgId === orgId);
      if (!choice) throw forbidden('You are not a member of this organization. Go back and choose one of yours.');
      if (choice.isForbidden)
        throw forbidden(`${choice.name} does not allow this application. Ask one of its administrators.`);
      const grant = Object.assign(this.draft(signedIn, asked, orgId), { askBefore });
      const actor = { type: 'user' as const, id: userId };
      await this.grants.give(grant, { action: 'approveApplication', actor, ...trace });
      return grant.id;
    });
  }

  async refuse({ userId }: SignedIn, { clientId, clientName }: AskedApproval, trace: Trace): Promise<void> {
    await this.audit.recordAbove({
      actor: { type: 'user', id: userId },
      action: 'refuseApplication',
      target: { type: 'application', id: clientId },
      details: { clientName },
      ...trace,
    });
  }

  private async offered(query: string, userId: string, asked: AskedApproval): Promise<Choice[]> {
    const rows = await this.database.rows(query, [uuidIn(userId), asked.clientId, asked.verified]);
    return rows.map((row) => {
      const may = permissionsOf(row as { builtIn: BuiltInRole | null; permissions: string[] });
      const { name, replaces, askBefore, secondFactorMissing, isForbidden } = row as unknown as Choice;
      return {
        orgId: orgIds.from(row.id) as string,
        name,
        lacking: permissionsIn(asked).filter((permission) => !may.includes(permission)),
        replaces,
        askBefore,
        secondFactorMissing,
        isForbidden,
      };
    });
  }

  private draft({ userId, ...signedIn }: SignedIn, asked: AskedApproval, orgId: string): Grant {
    const now = new Date().toISOString();
    return Object.assign(new Grant(), {
      orgId,
      id: newId('grant'),
      clientId: asked.clientId,
      clientName: asked.clientName,
      verified: asked.verified,
      userId,
      scopes: permissionsIn(asked),
      offline: asked.scopes.includes(offlineAccess),
      audience: audienceOf(this.config),
      authenticatedAt: signedIn.authenticatedAt,
      authenticatedWith: signedIn.authenticatedWith,
      lastUsedAt: null,
      lastUsedFrom: null,
      revokedAt: null,
      revokedBecause: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
  }
}
