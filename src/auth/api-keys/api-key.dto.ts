import { OmitType } from '@nestjs/swagger';
import { Id, Int, ListOf, OneOf, Text, Timestamp } from '#operations';
import { PageOf } from '../../../libs/operations/paging.js';

export const apiKeyStatuses = ['active', 'expired', 'revoked'] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

export const revocationReasons = ['requested', 'member-removed', 'application-ended', 'leaked'] as const;
export type RevocationReason = (typeof revocationReasons)[number];

export const mostAllowedAddresses = 50;

export const lowestRatePerMinute = 1_000;
export const highestRatePerMinute = 60_000;

export class CreateApiKey {
  @Text({ about: 'What the key is for.', max: 200, example: 'Task board' })
  name: string;

  @ListOf(
    { text: 60 },
    {
      about: 'What the key may do, never more than you may; ["*"] is all that you may.',
      min: 1,
      max: 200,
      example: ['tasks:read'],
    },
  )
  scopes: string[];

  @Id('member', { about: 'The machine member that it acts as; one of its own when left out.', optional: true })
  memberId?: string;

  @ListOf(
    { id: 'property' },
    {
      about: 'The properties it is limited to; all that you see when left out.',
      optional: true,
      nullable: true,
      min: 1,
      max: 1_000,
    },
  )
  propertyIds?: string[] | null;

  @ListOf(
    { text: 50 },
    {
      about: 'The IP addresses and CIDR ranges that it works from, IPv4 or IPv6; anywhere when left out or null.',
      optional: true,
      nullable: true,
      min: 1,
      max: mostAllowedAddresses,
      example: ['203.0.113.7', '2001:db8::/32'],
    },
  )
  allowedAddresses?: string[] | null;

  @Timestamp({
    about: "When it expires; when left out or null, after the organization's maxKeyDays, or never where it has none.",
    optional: true,
    nullable: true,
  })
  expiresAt?: string | null;

  @Int({
    about: 'Requests a clock minute; 1000 when left out.',
    optional: true,
    min: lowestRatePerMinute,
    max: highestRatePerMinute,
  })
  ratePerMinute?: number;
}

export class ThisApiKey {
  @Id('key', { about: 'The API key.' }) keyId: string;
}

export const defaultOverlapSeconds = 86_400;
const longestOverlapSeconds = 7 * 86_400;

export class RotateApiKey extends ThisApiKey {
  @Int({
    about: 'For how long the old key still works; a day when left out.',
    optional: true,
    min: 0,
    max: longestOverlapSeconds,
  })
  overlapSeconds?: number;
}

export class ListApiKeys extends PageOf(['createdAt']) {}

export class ApiKeyView {
  @Id('key', { about: 'The API key.' }) id: string;
  @Text({ about: 'What the key is for.', max: 200 }) name: string;
  @Text({ about: 'How the key begins, to recognize it by.', max: 40 }) prefix: string;
  @Id('member', { about: 'The machine member that it acts as.' }) memberId: string;
  @ListOf({ text: 60 }, { about: 'What it may do.', max: 200 }) scopes: string[];
  @ListOf({ id: 'property' }, { about: 'The properties it is limited to; null for all.', nullable: true, max: 1_000 })
  propertyIds: string[] | null;
  @ListOf(
    { text: 50 },
    {
      about: 'The IP addresses and CIDR ranges that it works from; null for anywhere.',
      nullable: true,
      max: mostAllowedAddresses,
    },
  )
  allowedAddresses: string[] | null;
  @Int({ about: 'Requests a clock minute.', min: lowestRatePerMinute, max: highestRatePerMinute })
  ratePerMinute: number;
  @OneOf(apiKeyStatuses, { about: 'Whether it works.' }) status: ApiKeyStatus;
  @Timestamp({ about: 'From when it stops working.', nullable: true }) expiresAt: string | null;
  @Timestamp({ about: 'When it was revoked.', nullable: true }) revokedAt: string | null;
  @OneOf(revocationReasons, {
    about: 'Why it was revoked: on request, with the member or the application that created it, or as leaked.',
    nullable: true,
  })
  revokedBecause: RevocationReason | null;
  @Timestamp({ about: 'When it was last used, to the minute.', nullable: true }) lastUsedAt: string | null;
  @Text({ about: 'The IP address that it was last used from.', max: 45, nullable: true }) lastUsedFrom: string | null;
  @Text({ about: 'The User-Agent that it was last used with.', max: 200, nullable: true }) lastUsedAgent: string | null;
  @Id('member', { about: 'The member who created it; null where an operator did.', nullable: true })
  createdBy: string | null;
  @Id('grant', {
    about: 'The connected application through which it was created, by its id in listApplications; it ends with that.',
    nullable: true,
  })
  applicationId: string | null;
  @Id('key', { about: 'The key that took over, where it was rotated.', nullable: true }) successorId: string | null;
  @Int({ about: 'Rises with every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was made.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}

/** What events keep of it: the trail is permanent, and where somebody was is of use for a short time. */
export class ApiKeyEventData extends OmitType(ApiKeyView, ['lastUsedFrom', 'lastUsedAgent']) {}

export class NewApiKeyView extends ApiKeyView {
  @Text({ about: 'The key itself, shown this once.', max: 300 }) key: string;
}
