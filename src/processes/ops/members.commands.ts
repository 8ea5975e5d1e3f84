import { ServiceError } from '#errors';
import { Email, Flag, Id, ListOf, one, OneOf, Pattern, Text } from '#operations';
import { UsersService } from '../../tenancy/people/users.service.js';
import { MemberView, RemovedMemberView } from '../../organizations/member.dto.js';
import { MembersService } from '../../tenancy/members/members.service.js';
import { RolesService } from '../../tenancy/roles/roles.service.js';
import { command } from './command.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';

const roleFlag = {
  about: 'A built-in role (owner, manager, coordinator, cleaner, viewer), or the name or id of another.',
};

class NewMember extends InOrganization {
  @Email({ about: 'The address of an account.' })
  email: string;

  @Text({ ...roleFlag, max: 100 })
  role: string;

  @ListOf(
    { id: 'property' },
    { about: 'The properties the member is limited to; all when left out.', optional: true, min: 1, max: 1_000 },
  )
  properties?: string[];
}

class ThisMember {
  @Id('member', { about: 'The member.' })
  id: string;
}

class ChangedMember extends ThisMember {
  @Text({ ...roleFlag, optional: true, max: 100 })
  role?: string;

  @Pattern({
    about: 'The properties the member is limited to, or all.',
    optional: true,
    pattern: /^(all|property_[0-9a-f]{32}(,property_[0-9a-f]{32})*)$/,
    max: 50_000,
    says: 'Give ids of properties with commas between them, or all.',
  })
  properties?: string;

  @OneOf(['active', 'suspended'] as const, { about: 'Whether the member may act.', optional: true })
  status?: 'active' | 'suspended';
}

class RemovedMember extends ThisMember {
  @Flag({ about: 'Whether the API keys that the member created go on working.', optional: true })
  keepKeys?: boolean;
}

export const memberCommands = [
  command({
    name: 'member add',
    about: 'Makes whoever has an account an active member.',
    input: NewMember,
    output: one(MemberView),
    run: async (service, { org, email, role, properties }) => {
      const user = await service.get(UsersService).findByEmail(email);
      if (!user) throw noAccount(email);
      return await service.get(Operator).inOrganization(org, async (caller) => {
        const { id: roleId } = await service.get(RolesService).findByNameOrId(caller, role);
        const { id: userId, name } = user;
        return await service
          .get(MembersService)
          .add(caller, { userId, name, email: user.email, roleId, propertyIds: properties });
      });
    },
  }),
  command({
    name: 'member update',
    about: 'Changes what a member may do, and whether.',
    input: ChangedMember,
    output: one(MemberView),
    run: (service, { id: memberId, role, properties, status }) =>
      service.get(Operator).inOrganizationOf('member', memberId, async (caller) => {
        const members = service.get(MembersService);
        const roleId = role && (await service.get(RolesService).findByNameOrId(caller, role)).id;
        const member = await members.update(caller, {
          memberId,
          ...(roleId && { roleId }),
          ...(properties && { propertyIds: properties === 'all' ? null : [...new Set(properties.split(','))] }),
        });
        if (!status || status === member.status) return member;
        return await (status === 'active' ? members.reinstate(caller, memberId) : members.suspend(caller, memberId));
      }),
  }),
  command({
    name: 'member remove',
    about: 'Removes a member permanently and revokes the API keys that they created.',
    input: RemovedMember,
    output: one(RemovedMemberView),
    run: (service, { id: memberId, keepKeys }) =>
      service
        .get(Operator)
        .inOrganizationOf('member', memberId, (caller) =>
          service.get(MembersService).remove(caller, { memberId, keepKeys }),
        ),
  }),
];

const noAccount = (email: string): ServiceError =>
  new ServiceError({ status: 404, message: `There is no account for ${email}; make one with \`user create\`.` });
