import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { InviteMember, ListMembers, RemoveMember, ThisMember, UpdateMember } from './member.dto.js';
import {
  getMember,
  inviteMember,
  listMembers,
  reinstateMember,
  removeMember,
  resendInvitation,
  suspendMember,
  updateMember,
} from './members.operations.js';
import { MemberActivity } from './member-activity.service.js';
import { MembersService } from './members.service.js';
import { NewMembers } from './new-members.service.js';

@Controller()
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly newMembers: NewMembers,
    private readonly activity: MemberActivity,
  ) {}

  @Handles(listMembers) list(caller: Caller, input: ListMembers) {
    return this.activity.list(caller, input);
  }

  @Handles(getMember) get(caller: Caller, { memberId }: ThisMember) {
    return this.activity.get(caller, memberId);
  }

  @Handles(inviteMember) invite(caller: Caller, input: InviteMember) {
    return this.newMembers.invite(caller, input);
  }

  @Handles(resendInvitation) resend(caller: Caller, { memberId }: ThisMember) {
    return this.members.resendInvitation(caller, memberId);
  }

  @Handles(updateMember) update(caller: Caller, input: UpdateMember) {
    return this.members.update(caller, input);
  }

  @Handles(suspendMember) suspend(caller: Caller, { memberId }: ThisMember) {
    return this.members.suspend(caller, memberId);
  }

  @Handles(reinstateMember) reinstate(caller: Caller, { memberId }: ThisMember) {
    return this.members.reinstate(caller, memberId);
  }

  @Handles(removeMember) remove(caller: Caller, input: RemoveMember) {
    return this.members.remove(caller, input);
  }
}
