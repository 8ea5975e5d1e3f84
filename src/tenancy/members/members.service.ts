import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { deletionOf, type Page } from '#operations';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import { Followers } from '../followers/followers.js';
import type { ListMembers, RemovedMemberView, RemoveMember, UpdateMember } from './member.dto.js';
import type { Member } from './member.entity.js';
import {
  invitedRecently,
  lastOwner,
  machineHasNoRole,
  memberIsNot,
  memberIsRemoved,
  memberMayMore,
  memberNotFound,
} from './members.errors.js';
import { MemberPermissionsRepository } from './member-permissions.repository.js';
import { MembersRepository } from './members.repository.js';
import {
  type MemberEventData,
  memberInvitedAgain,
  memberReinstated,
  memberRemoved,
  memberSuspended,
  memberUpdated,
} from './members.events.js';
import { NewMembers } from './new-members.service.js';
import { PropertiesService } from '../properties/properties.service.js';
import { isGuarded } from '../../platform/callers/permissions.js';
import { propertyLimit, refuseBeyondLimit } from '../properties/property-limit.js';
import { RolesService } from '../roles/roles.service.js';

/**
 * Who acts in the organization: invited → active → suspended → removed. One active owner who sees all properties always
 * remains. Nobody grants permissions that they lack or changes a member who has a guarded permission that they lack,
 * and a caller that is limited to some properties cannot change members who see others.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly permissions: MemberPermissionsRepository,
    private readonly roles: RolesService,
    private readonly properties: PropertiesService,
    private readonly newMembers: NewMembers,
    private readonly events: EventsService,
    private readonly followers: Followers,
  ) {}

  list(caller: Caller, input: ListMembers): Promise<Page<Member>> {
    return this.members.list(caller.orgId, input);
  }

  async get(caller: Caller, memberId: string): Promise<Member> {
    const member = await this.members.find(caller.orgId, memberId);
    if (!member) throw memberNotFound();
    return member;
  }

  async update(caller: Caller, { memberId, name, roleId, propertyIds }: UpdateMember): Promise<Member> {
    const member = await this.forChange(caller, memberId);
    if (roleId && member.kind === 'machine') throw machineHasNoRole();
    const role = roleId ? await this.roles.grantable(caller, roleId) : undefined;
    const limit = propertyIds === undefined ? undefined : await propertyLimit(caller, this.properties, propertyIds);
    if ((role && role.builtIn !== 'owner') || limit) await this.keepAnOwner(member);
    const changes = {
      ...(name && { name }),
      ...(roleId && { roleId }),
      ...(limit !== undefined && { propertyIds: limit }),
    };
    return await this.write(caller, member, changes, memberUpdated);
  }

  /** The link of an earlier letter keeps working, so a second letter in an hour would say nothing new. */
  async resendInvitation(caller: Caller, memberId: string): Promise<Member> {
    const member = await this.forChange(caller, memberId);
    if (member.status !== 'invited') throw memberIsNot('invited', member.status);
    const role = await this.roles.grantable(caller, member.roleId as string);
    const invitationSentAt = await this.newMembers.mail(caller, member.email as string, role);
    if (invitationSentAt === null || invitationSentAt === member.invitationSentAt) throw invitedRecently();
    return await this.write(caller, member, { invitationSentAt }, memberInvitedAgain);
  }

  async suspend(caller: Caller, memberId: string): Promise<Member> {
    const member = await this.forChange(caller, memberId);
    if (member.status !== 'active') throw memberIsNot('active', member.status);
    await this.keepAnOwner(member);
    return await this.write(caller, member, { status: 'suspended' }, memberSuspended);
  }

  async reinstate(caller: Caller, memberId: string): Promise<Member> {
    const member = await this.forChange(caller, memberId);
    if (member.status !== 'suspended') throw memberIsNot('suspended', member.status);
    if (member.roleId) await this.roles.grantable(caller, member.roleId);
    return await this.write(caller, member, { status: 'active' }, memberReinstated);
  }

  /** Permanently; the row stays, because tasks and the audit trail name it. */
  async remove(caller: Caller, { memberId, keepKeys = false }: RemoveMember): Promise<RemovedMemberView> {
    const member = await this.forChange(caller, memberId);
    await this.keepAnOwner(member);
    await this.write(caller, member, { status: 'removed', roleId: null }, memberRemoved);
    const revokedKeyIds = keepKeys ? [] : await this.followers.memberRemoved(caller, member);
    return { ...deletionOf(memberId), revokedKeyIds };
  }

  private async write(
    caller: Caller,
    member: Member,
    changes: Partial<Member>,
    happened: ChangeType<MemberEventData>,
  ): Promise<Member> {
    const before = await this.members.update(member, changes);
    this.events.record(caller, happened, member, before);
    return member;
  }

  private async forChange(caller: Caller, memberId: string): Promise<Member> {
    const member = await this.members.findForChange(caller.orgId, memberId);
    if (!member) throw memberNotFound();
    refuseBeyondLimit(caller, member.propertyIds);
    await this.refuseWhoMayMore(caller, member);
    expectVersion(caller, member);
    if (member.status === 'removed') throw memberIsRemoved();
    return member;
  }

  private async refuseWhoMayMore(caller: Caller, member: Member): Promise<void> {
    const permissions = await this.permissions.of(member);
    const lacking = permissions.filter((name) => isGuarded(name) && !caller.permissions.has(name));
    if (lacking.length > 0) throw memberMayMore(lacking);
  }

  private async keepAnOwner(member: Member): Promise<void> {
    if (await this.members.isLastOwner(member)) throw lastOwner();
  }
}
