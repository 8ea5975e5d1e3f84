import { Id, Int, ListOf, OmitType, OneOf, PageOf, Text, Timestamp } from '#operations';

export const apiKeyStatuses = ['active', 'expired', 'revoked'] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

export const revocationReasons = ['requested', 'member-removed', 'application-ended', 'leaked'] as const;
export type RevocationReason = (typeof revocationReasons)[number];

export const mostAllowedAddresses = 50;

export const lowestRatePerMinute = 1_000;
export const highestRatePerMinute = 60_000;

export class CreateApiKey {
  @Text({ description: 'What the key is for.', max: 200, example: 'Task board' })
  name: string;

  @ListOf(
    { text: 60 },
    {
      description: 'Scopes of the key; you cannot grant more than you have. ["*"]: all that you have.',
      min: 1,
      max: 200,
      example: ['tasks:read'],
    },
  )
  scopes: string[];

  @Id('member', {
    description: 'Machine member that the key acts as (member_…), from listMembers; by default a new one is created.',
    optional: true,
  })
  memberId?: string;

  @ListOf(
    { id: 'property' },
    {
      description:
        'Properties that the key is limited to (property_…), from listProperties; default: all that you can see.',
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
      description: 'IP addresses and CIDR ranges (IPv4 or IPv6) that the key works from; omitted or null: anywhere.',
      optional: true,
      nullable: true,
      min: 1,
      max: mostAllowedAddresses,
      example: ['203.0.113.7', '2001:db8::/32'],
    },
  )
  allowedAddresses?: string[] | null;

  @Timestamp({
    description: "Expiry; omitted or null: after the organization's maxKeyDays, or never if there is no limit.",
    optional: true,
    nullable: true,
  })
  expiresAt?: string | null;

  @Int({
    description: 'Requests per minute; default: 1000.',
    optional: true,
    min: lowestRatePerMinute,
    max: highestRatePerMinute,
  })
  ratePerMinute?: number;
}

export class ThisApiKey {
  @Id('key', { description: 'API key id (key_…), from listApiKeys.' }) keyId: string;
}

export const defaultOverlapSeconds = 86_400;
const longestOverlapSeconds = 7 * 86_400;

export class RotateApiKey extends ThisApiKey {
  @Int({
    description: 'How long the old key keeps working, in seconds; default: one day.',
    optional: true,
    min: 0,
    max: longestOverlapSeconds,
  })
  overlapSeconds?: number;
}

export class ListApiKeys extends PageOf(['createdAt']) {}

export class ApiKeyView {
  @Id('key', { description: 'API key id (key_…).' }) id: string;
  @Text({ description: 'What the key is for.', max: 200 }) name: string;
  @Text({ description: 'First characters of the key, to recognize it.', max: 40 }) prefix: string;
  @Id('member', { description: 'Machine member that the key acts as (member_…).' }) memberId: string;
  @ListOf({ text: 60 }, { description: 'Scopes of the key.', max: 200 }) scopes: string[];
  @ListOf(
    { id: 'property' },
    { description: 'Properties that the key is limited to (property_…); null for all.', nullable: true, max: 1_000 },
  )
  propertyIds: string[] | null;
  @ListOf(
    { text: 50 },
    {
      description: 'IP addresses and CIDR ranges that the key works from; null for anywhere.',
      nullable: true,
      max: mostAllowedAddresses,
    },
  )
  allowedAddresses: string[] | null;
  @Int({ description: 'Requests per minute.', min: lowestRatePerMinute, max: highestRatePerMinute })
  ratePerMinute: number;
  @OneOf(apiKeyStatuses, { description: 'Status of the key.' }) status: ApiKeyStatus;
  @Timestamp({ description: 'When the key expires; null for never.', nullable: true }) expiresAt: string | null;
  @Timestamp({ description: 'When the key was revoked.', nullable: true }) revokedAt: string | null;
  @OneOf(revocationReasons, {
    description:
      'Why the key was revoked: on request, with the member or application that created it, or because it leaked.',
    nullable: true,
  })
  revokedBecause: RevocationReason | null;
  @Timestamp({ description: 'When the key was last used, to the minute.', nullable: true }) lastUsedAt: string | null;
  @Text({ description: 'IP address of the last use.', max: 45, nullable: true }) lastUsedFrom: string | null;
  @Text({ description: 'User-Agent of the last use.', max: 200, nullable: true }) lastUsedAgent: string | null;
  @Id('member', { description: 'Member who created the key (member_…); null if an operator did.', nullable: true })
  createdBy: string | null;
  @Id('grant', {
    description:
      'Approval of the application that created the key (grant_…), from listApplications; the key ends with it.',
    nullable: true,
  })
  applicationId: string | null;
  @Id('key', { description: 'Key that replaced this one, if it was rotated (key_…).', nullable: true }) successorId:
    | string
    | null;
  @Int({ description: 'Version, increased by every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ description: 'When the key was created.' }) createdAt: string;
  @Timestamp({ description: 'When the key was last changed.' }) updatedAt: string;
}

/** The fields that events keep. The trail is permanent, and a client's address is useful only for a short time. */
export class ApiKeyEventData extends OmitType(ApiKeyView, ['lastUsedFrom', 'lastUsedAgent']) {}

export class NewApiKeyView extends ApiKeyView {
  @Text({ description: 'The key itself; shown only once.', max: 300 }) key: string;
}
