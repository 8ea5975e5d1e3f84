import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { NewType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import { UsersService } from '../people/users.service.js';
import { PropertiesService } from '../properties/properties.service.js';
import { propertyLimit } from '../properties/property-limit.js';
import { Quotas } from '../quotas/quotas.service.js';
import type { Role } from '../roles/role.entity.js';
import { RolesService } from '../roles/roles.service.js';
import { InvitationsService } from './invitations.service.js';
import type { InviteMember } from './member.dto.js';
import { type Member, newMember } from './member.entity.js';
import { memberExists } from './members.errors.js';
import { memberAdded, type MemberEventData, memberInvited } from './members.events.js';
import { MembersRepository } from './members.repository.js';

const nobody = `user_${'0'.repeat(32)}`;

/** A person with an account, who becomes a member immediately. */
export interface AddMember extends InviteMember {
  userId: string;
}

/** How people become members: invited by letter, or added by an operator. */
@Injectable()
export class NewMembers {
  constructor(
    private readonly members: MembersRepository,
    private readonly roles: RolesService,
    private readonly properties: PropertiesService,
    private readonly users: UsersService,
    private readonly events: EventsService,
    private readonly organizations: OrganizationsRepository,
    private readonly invitations: InvitationsService,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Invites an address as a member, and mails the invitation. Neither the response nor its timing reveals whether the
   * address has an account before the person accepts, because anybody could find out by inviting it.
   */
  async invite(caller: Caller, input: InviteMember): Promise<Member> {
    const { id: userId = nobody } = (await this.users.findByEmail(input.email)) ?? {};
    if (await this.members.findByUser(caller.orgId, userId)) throw memberExists(input.email);
    return await this.addOne(caller, input, { userId: null, status: 'invited' }, memberInvited);
  }

  /** Adds somebody as an active member, on an operator's responsibility. */
  add(caller: Caller, { userId, ...input }: AddMember): Promise<Member> {
    return this.addOne(caller, input, { userId, status: 'active' }, memberAdded);
  }

  /** @returns when the invitation letter was sent; null if the address gets no more letters today. */
  async mail(caller: Caller, email: string, role: Role): Promise<string | null> {
    await this.quotas.admit(caller, 'invitationsPerDay');
    const [{ name: organization }, inviter] = [
      await this.organizations.get(caller.orgId),
      await this.members.find(caller.orgId, caller.memberId),
    ];
    return await this.invitations.invite(caller.orgId, email, {
      organization,
      role: role.name,
      inviter: inviter?.name ?? null,
    });
  }

  private async addOne(
    caller: Caller,
    input: InviteMember,
    standing: Pick<Member, 'userId' | 'status'>,
    happened: NewType<MemberEventData>,
  ): Promise<Member> {
    const role = await this.roles.grantable(caller, input.roleId);
    const propertyIds = await propertyLimit(caller, this.properties, input.propertyIds ?? null);
    await this.quotas.admit(caller, 'members');
    const isInvited = standing.status === 'invited';
    const invitationSentAt = isInvited ? await this.mail(caller, input.email, role) : null;
    const { email, name = email } = input;
    const member = await this.members.insert(
      newMember({
        orgId: caller.orgId,
        kind: 'user',
        name,
        email,
        roleId: role.id,
        propertyIds,
        invitationSentAt,
        invitedBy: isInvited ? caller.memberId : null,
        ...standing,
      }),
    );
    this.events.record(caller, happened, member);
    return member;
  }
}
