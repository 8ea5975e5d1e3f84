import {
  DeletionView,
  Email,
  Flag,
  Id,
  Int,
  IntersectionType,
  ListOf,
  OneOf,
  PageOf,
  PartialType,
  PickType,
  Text,
  Timestamp,
} from '#operations';

export const memberStatuses = ['invited', 'active', 'suspended', 'removed'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

export const memberKinds = ['user', 'machine'] as const;
export type MemberKind = (typeof memberKinds)[number];

export class InviteMember {
  @Email({ description: 'Email address of the person to invite.' })
  email: string;

  @Id('role', { description: 'Role of the member (role_…), from listRoles; it cannot have more permissions than you.' })
  roleId: string;

  @Text({
    description: 'Name until the person accepts the invitation; default: the address.',
    max: 200,
    optional: true,
  })
  name?: string;

  @ListOf(
    { id: 'property' },
    {
      description:
        'Properties that the member is limited to (property_…), from listProperties; omitted or null: all that you can see.',
      optional: true,
      nullable: true,
      min: 1,
      max: 1_000,
    },
  )
  propertyIds?: string[] | null;
}

export class ThisMember {
  @Id('member', { description: 'Member id (member_…), from listMembers.' }) memberId: string;
}

export class RemoveMember extends ThisMember {
  @Flag({
    description: 'true: the API keys that the member created keep working; by default they are revoked.',
    optional: true,
  })
  keepKeys?: boolean;
}

export class RemovedMemberView extends DeletionView {
  @ListOf(
    { id: 'key' },
    {
      description: 'API keys that were revoked (key_…): those that the member created, and those created with them.',
      max: 100_000,
    },
  )
  revokedKeyIds: string[];
}

export class UpdateMember extends IntersectionType(
  ThisMember,
  PartialType(PickType(InviteMember, ['name', 'roleId', 'propertyIds'])),
) {}

export class ListMembers extends PageOf(['createdAt']) {
  @OneOf(memberStatuses, {
    description: 'Only members with this status; default: all except removed ones.',
    optional: true,
  })
  status?: MemberStatus;

  @OneOf(memberKinds, { description: 'Only people (user), or only machines.', optional: true })
  kind?: MemberKind;

  @Id('role', { description: 'Only members with this role (role_…), from listRoles.', optional: true })
  roleId?: string;
}

export class MemberView {
  @Id('member', { description: 'Member id (member_…).' }) id: string;
  @OneOf(memberKinds, { description: 'user: a person. machine: API keys act as it.' }) kind: MemberKind;
  @Text({ description: 'Name of the member.', max: 200 }) name: string;
  @Email({ description: 'Email address of a person.', nullable: true }) email: string | null;
  @Id('role', {
    description: 'Role of a person (role_…); null for a machine, which has the scopes of its keys.',
    nullable: true,
  })
  roleId: string | null;
  @ListOf(
    { id: 'property' },
    {
      description:
        'Properties that the member is limited to (property_…); null for all. Keys of a machine may be limited to fewer: see listApiKeys.',
      nullable: true,
      max: 1_000,
    },
  )
  propertyIds: string[] | null;
  @OneOf(memberStatuses, { description: 'Status of the member; only active ones can act.' }) status: MemberStatus;
  @Timestamp({
    description:
      'When the last invitation was emailed; null if none was, for example because the address had already received three that day.',
    nullable: true,
  })
  invitationSentAt: string | null;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the member was invited or created.' }) createdAt: string;
  @Timestamp({ description: 'When the member was last changed.' }) updatedAt: string;
}

/** A member with what is not part of the record: it changes without a version. */
export class MemberActivityView extends MemberView {
  @Timestamp({
    description: 'When the member last used the API, an application or the console, to the minute; null for never.',
    nullable: true,
  })
  lastActiveAt: string | null;
  @Flag({
    description: 'Whether the person has a second factor; null for a machine, or if you may not manage members.',
    nullable: true,
  })
  hasSecondFactor: boolean | null;
}
