import { IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { Email, Flag, Id, Int, ListOf, OneOf, Text, Timestamp } from '#operations';
import { DeletionView } from '../../libs/operations/deletion.js';
import { PageOf } from '../../libs/operations/paging.js';

export const memberStatuses = ['invited', 'active', 'suspended', 'removed'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

export const memberKinds = ['user', 'machine'] as const;
export type MemberKind = (typeof memberKinds)[number];

export class InviteMember {
  @Email({ about: 'Whom to invite.' })
  email: string;

  @Id('role', { about: 'What the member may do; never more than you may.' })
  roleId: string;

  @Text({
    about: "What to call the member; the account's name, or else the address, when left out.",
    max: 200,
    optional: true,
  })
  name?: string;

  @ListOf(
    { id: 'property' },
    {
      about: 'The properties the member is limited to; all that you see when left out or null.',
      optional: true,
      nullable: true,
      min: 1,
      max: 1_000,
    },
  )
  propertyIds?: string[] | null;
}

export class ThisMember {
  @Id('member', { about: 'The member.' }) memberId: string;
}

export class RemoveMember extends ThisMember {
  @Flag({
    about: 'Whether the API keys that the member created go on working; they are revoked when left out.',
    optional: true,
  })
  keepKeys?: boolean;
}

export class RemovedMemberView extends DeletionView {
  @ListOf(
    { id: 'key' },
    { about: 'The API keys that were revoked: those the member created, and those created with them.', max: 100_000 },
  )
  revokedKeyIds: string[];
}

export class UpdateMember extends IntersectionType(
  ThisMember,
  PartialType(PickType(InviteMember, ['name', 'roleId', 'propertyIds']), { skipNullProperties: false }),
) {}

export class ListMembers extends PageOf(['createdAt']) {
  @OneOf(memberStatuses, { about: 'Only members of this status; all but removed ones when left out.', optional: true })
  status?: MemberStatus;

  @OneOf(memberKinds, { about: 'Only people, or only machines.', optional: true })
  kind?: MemberKind;

  @Id('role', { about: 'Only members with this role.', optional: true })
  roleId?: string;
}

export class MemberView {
  @Id('member', { about: 'The member.' }) id: string;
  @OneOf(memberKinds, { about: 'A person, or a machine that API keys act as.' }) kind: MemberKind;
  @Text({ about: 'What the member is called.', max: 200 }) name: string;
  @Email({ about: 'The address of a person.', nullable: true }) email: string | null;
  @Id('role', { about: 'What a person may do; the scopes of its keys say that of a machine.', nullable: true })
  roleId: string | null;
  @ListOf({ id: 'property' }, { about: 'The properties it is limited to; null for all.', nullable: true, max: 1_000 })
  propertyIds: string[] | null;
  @OneOf(memberStatuses, { about: 'Whether the member may act here.' }) status: MemberStatus;
  @Timestamp({
    about:
      'When the invitation was mailed; null for members who were not invited, or where the address had 3 letters that day.',
    nullable: true,
  })
  invitationSentAt: string | null;
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When the member was invited or made.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
