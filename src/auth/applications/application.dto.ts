import { Flag, Id, Int, ListOf, OmitType, OneOf, PageOf, Text, Timestamp } from '#operations';
import { authenticationMethods, type AuthenticationMethod } from '../../tenancy/people/authentication.js';

const owners = ['own', 'organization'] as const;

export class ListApplications extends PageOf(['createdAt']) {
  @OneOf(owners, {
    description: 'Whose approvals to list; default: your own. All of them requires applications:manage.',
    optional: true,
  })
  of?: (typeof owners)[number];
}

export class ThisApplication {
  @Id('grant', { description: 'Approval id (grant_…), from listApplications.' }) applicationId: string;
}

/** An application as a person approved it for the organization. */
export class ApplicationView {
  @Id('grant', { description: 'Approval id (grant_…).' }) id: string;
  @Text({ description: 'Client id of the application.', max: 2_048 }) clientId: string;
  @Text({ description: 'Name of the application when it was approved.', max: 80 }) clientName: string;
  @Flag({ description: 'Whether an operator registered the application; other applications registered themselves.' })
  verified: boolean;
  @Id('user', { description: 'Person that the application acts as (user_…).' }) userId: string;
  @Id('member', { description: 'Member that the person is here (member_…); null for a former one.', nullable: true })
  memberId: string | null;
  @ListOf({ text: 60 }, { description: 'Granted scopes.', max: 200 }) scopes: string[];
  @Flag({ description: 'Whether the application may refresh its access without asking again (offline_access).' })
  offline: boolean;
  @Timestamp({
    description: 'When the person last authenticated before the approval; null if not recorded.',
    nullable: true,
  })
  authenticatedAt: string | null;
  @ListOf(
    { oneOf: authenticationMethods },
    { description: 'How the person authenticated; null if not recorded.', nullable: true, max: 10 },
  )
  authenticatedWith: AuthenticationMethod[] | null;
  @Timestamp({ description: 'When the application last acted, to the minute.', nullable: true }) lastUsedAt:
    | string
    | null;
  @Text({ description: 'IP address of the last use.', max: 45, nullable: true }) lastUsedFrom: string | null;
  @Timestamp({ description: 'When the approval was revoked.', nullable: true }) revokedAt: string | null;
  @Int({ description: 'Version, increased by every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ description: 'When the application was approved.' }) createdAt: string;
  @Timestamp({ description: 'When the approval was last changed.' }) updatedAt: string;
}

/**
 * The fields that events keep: those of the approval itself. The trail is permanent, and a client's address is useful
 * only for a short time.
 */
export class ApplicationEventData extends OmitType(ApplicationView, ['memberId', 'lastUsedFrom']) {}
