import { Flag, Id, Int, ListOf, ObjectOf, OneOf, Text } from '#operations';
import { regions, type Region } from '#regions';

export class NoInput {}

export class MyOrganization {
  @Id('org', { about: 'The organization.' }) id: string;
  @Text({ about: 'Its name.', max: 200 }) name: string;
  @Flag({ about: 'Whether people need a second factor here.' }) requireTwoFactor: boolean;
}

export class MyMember {
  @Id('member', { about: 'The member that this credential acts as.' }) id: string;
  @OneOf(['user', 'machine'] as const, { about: 'A person or a machine.' }) kind: 'user' | 'machine';
  @Text({ about: 'Its name.', max: 200 }) name: string;
}

export class MyRateLimit {
  @Int({ about: 'Requests a clock minute.', min: 1, max: 60_000 }) perMinute: number;
  @Int({ about: 'Requests in any second.', min: 1, max: 60_000 }) perSecond: number;
}

export class MeView {
  @OneOf(['api-key', 'oauth'] as const, { about: 'The kind of credential.' }) credential: 'api-key' | 'oauth';
  @ObjectOf(() => MyOrganization, { about: 'The one organization that it acts in.' }) organization: MyOrganization;
  @ObjectOf(() => MyMember, { about: 'Who it acts as.' }) member: MyMember;
  @OneOf(regions, { about: 'The region that holds the data.' }) region: Region;
  @ListOf({ text: 60 }, { about: 'The scopes that were chosen or granted.', max: 200 }) scopes: string[];
  @ListOf({ text: 60 }, { about: 'What it may do just now.', max: 200 }) permissions: string[];
  @ListOf({ id: 'property' }, { about: 'The properties it is limited to; null for all.', nullable: true, max: 10_000 })
  propertyIds: string[] | null;
  @ObjectOf(() => MyRateLimit, { about: 'How fast it may ask.' }) rateLimit: MyRateLimit;
  @Text({ about: 'Why operations may be missing from its tools, if any are.', max: 500, nullable: true })
  hiddenBecause: string | null;
}
