import { OmitType } from '@nestjs/swagger';
import { Flag, Id, Int, ListOf, OneOf, Text, Timestamp } from '#operations';
import { authenticationMethods, type AuthenticationMethod } from '../accounts/session.js';
import { PageOf } from '../../../libs/operations/paging.js';

const holders = ['own', 'organization'] as const;

export class ListApplications extends PageOf(['createdAt']) {
  @OneOf(holders, {
    about: "Whose approvals: one's own when left out; everyone's needs applications:manage.",
    optional: true,
  })
  of?: (typeof holders)[number];
}

export class ThisApplication {
  @Id('grant', { about: 'The approval of an application.' }) applicationId: string;
}

/** An application as a person approved it for the organization. */
export class ApplicationView {
  @Id('grant', { about: 'The approval.' }) id: string;
  @Text({ about: 'The OAuth client.', max: 2_048 }) clientId: string;
  @Text({ about: 'What the application called itself when it was approved.', max: 80 }) clientName: string;
  @Flag({ about: 'Whether an operator vouches for the application; others registered themselves.' }) verified: boolean;
  @Id('user', { about: 'The person it acts as.' }) userId: string;
  @ListOf({ text: 60 }, { about: 'What was granted.', max: 200 }) scopes: string[];
  @Flag({ about: 'Whether it may go on without asking again (offline_access).' }) offline: boolean;
  @Timestamp({
    about: 'When the person had last proved who they are before they approved it; null where that was not recorded.',
    nullable: true,
  })
  authenticatedAt: string | null;
  @ListOf(
    { oneOf: authenticationMethods },
    { about: 'What the person had proved it with; null where that was not recorded.', nullable: true, max: 10 },
  )
  authenticatedWith: AuthenticationMethod[] | null;
  @Timestamp({ about: 'When it last acted, to the minute.', nullable: true }) lastUsedAt: string | null;
  @Text({ about: 'The IP address that it last acted from.', max: 45, nullable: true }) lastUsedFrom: string | null;
  @Timestamp({ about: 'When the approval ended.', nullable: true }) revokedAt: string | null;
  @Int({ about: 'Rises with every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was approved.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}

/** What events keep of it: the trail is permanent, and where somebody was is of use for a short time. */
export class ApplicationEventData extends OmitType(ApplicationView, ['lastUsedFrom']) {}
