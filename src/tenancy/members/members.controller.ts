import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { InviteMember, ListMembers, RemoveMember, ThisMember, UpdateMember } from '../../organizations/member.dto.js';
import {
  getMember,
  inviteMember,
  listMembers,
  reinstateMember,
  removeMember,
  suspendMember,
  updateMember,
} from './members.operations.js';
import { MembersService } from './members.service.js';

@Controller()
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Handles(listMembers) list(input: ListMembers, caller: Caller) {
    return this.members.list(caller, input);
  }

  @Handles(getMember) get({ memberId }: ThisMember, caller: Caller) {
    return this.members.get(caller, memberId);
  }

  @Handles(inviteMember) invite(input: InviteMember, caller: Caller) {
    return this.members.invite(caller, input);
  }

  @Handles(updateMember) update(input: UpdateMember, caller: Caller) {
    return this.members.update(caller, input);
  }

  @Handles(suspendMember) suspend({ memberId }: ThisMember, caller: Caller) {
    return this.members.suspend(caller, memberId);
  }

  @Handles(reinstateMember) reinstate({ memberId }: ThisMember, caller: Caller) {
    return this.members.reinstate(caller, memberId);
  }

  @Handles(removeMember) remove(input: RemoveMember, caller: Caller) {
    return this.members.remove(caller, input);
  }
}
