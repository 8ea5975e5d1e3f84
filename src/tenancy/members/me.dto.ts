import { Flag, Id, Int, ListOf, ObjectOf, OneOf, Text, Timestamp, TimeZone } from '#operations';
import { regions, type Region } from '#regions';

export class GetMe {
  @Flag({ description: 'true: without scopes, permissions and property ids.', optional: true })
  brief?: boolean;
}

export class MyOrganization {
  @Id('org', { description: 'Organization id (org_…).' }) id: string;
  @Text({ description: 'Name of the organization.', max: 200 }) name: string;
  @Flag({ description: 'Whether people need a second factor in this organization.' }) requireTwoFactor: boolean;
}

export class MyMember {
  @Id('member', { description: 'Member that this credential acts as (member_…).' }) id: string;
  @OneOf(['user', 'machine'] as const, { description: 'user: a person. machine: API keys act as it.' }) kind:
    | 'user'
    | 'machine';
  @Text({ description: 'Name of the member.', max: 200 }) name: string;
}

export class MyRateLimit {
  @Int({ description: 'Requests per minute.', min: 1, max: 60_000 }) perMinute: number;
  @Int({ description: 'Requests per second.', min: 1, max: 60_000 }) perSecond: number;
}

export class MeView {
  @OneOf(['api-key', 'oauth'] as const, { description: 'Kind of credential.' }) credential: 'api-key' | 'oauth';
  @ObjectOf(() => MyOrganization, { description: 'Organization that the credential acts in.' })
  organization: MyOrganization;
  @ObjectOf(() => MyMember, { description: 'Member that the credential acts as.' }) member: MyMember;
  @OneOf(regions, { description: 'Region that stores the data.' }) region: Region;
  @Timestamp({ description: 'Current time in the time zone of the organization.' }) now: string;
  @TimeZone({ description: 'Time zone of the organization; properties can have others.' }) timezone: string;
  @Int({ description: 'Number of properties that you see.', min: 0, max: 2_147_483_647 }) propertyCount: number;
  @ListOf({ text: 60 }, { description: 'Scopes that were granted.', max: 200, optional: true }) scopes?: string[];
  @ListOf({ text: 60 }, { description: 'Current permissions.', max: 200, optional: true }) permissions?: string[];
  @ListOf(
    { id: 'property' },
    {
      description: 'Properties that the credential is limited to (property_…); null for all.',
      nullable: true,
      optional: true,
      max: 10_000,
    },
  )
  propertyIds?: string[] | null;
  @ObjectOf(() => MyRateLimit, { description: 'Request limits.' }) rateLimit: MyRateLimit;
  @Text({ description: 'Reasons why operations may be missing from the list of tools.', max: 500, nullable: true })
  hiddenBecause: string | null;
}
