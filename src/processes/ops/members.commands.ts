import { ServiceError } from '#errors';
import { Email, Flag, Id, ListOf, one, OneOf, page, Pattern, Text } from '#operations';
import { UsersService } from '../../tenancy/people/users.service.js';
import { MemberView, RemovedMemberView } from '../../tenancy/members/member.dto.js';
import { MembersService } from '../../tenancy/members/members.service.js';
import { NewMembers } from '../../tenancy/members/new-members.service.js';
import { RolesService } from '../../tenancy/roles/roles.service.js';
import { command } from './command.js';
import { everyPage } from './every-page.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';

const roleFlag = {
  description: 'Built-in role (owner, manager, coordinator, cleaner, viewer), or name or id of another role.',
};

class NewMember extends InOrganization {
  @Email({ description: 'Email address of an account.' })
  email: string;

  @Text({ ...roleFlag, max: 100 })
  role: string;

  @ListOf(
    { id: 'property' },
    { description: 'Properties that the member is limited to; default: all.', optional: true, min: 1, max: 1_000 },
  )
  properties?: string[];
}

class ThisMember {
  @Id('member', { description: 'Member id.' })
  id: string;
}

class ChangedMember extends ThisMember {
  @Text({ ...roleFlag, optional: true, max: 100 })
  role?: string;

  @Pattern({
    description: 'Properties that the member is limited to, or all.',
    optional: true,
    pattern: /^(all|property_[0-9a-f]{32}(,property_[0-9a-f]{32})*)$/,
    max: 50_000,
    message: 'Pass property ids separated by commas, or all.',
  })
  properties?: string;

  @OneOf(['active', 'suspended'] as const, { description: 'Status of the member.', optional: true })
  status?: 'active' | 'suspended';
}

class RemovedMember extends ThisMember {
  @Flag({ description: 'Whether the API keys that the member created keep working.', optional: true })
  keepKeys?: boolean;
}

export const memberCommands = [
  command({
    name: 'member list',
    description: 'Lists the members of an organization: people, invited people and machines.',
    input: InOrganization,
    output: page(MemberView),
    columns: ['name', 'email', 'kind', 'status', 'roleId', 'id'],
    run: (service, { org }) =>
      service
        .get(Operator)
        .inOrganization(org, (caller) =>
          everyPage((cursor) => service.get(MembersService).list(caller, { limit: 100, cursor })),
        ),
  }),
  command({
    name: 'member add',
    description: 'Adds a person who has an account as an active member.',
    input: NewMember,
    output: one(MemberView),
    run: async (service, { org, email, role, properties }) => {
      const user = await service.get(UsersService).findByEmail(email);
      if (!user) throw noAccount(email);
      return await service.get(Operator).inOrganization(org, async (caller) => {
        const { id: roleId } = await service.get(RolesService).findByNameOrId(caller, role);
        const { id: userId, name } = user;
        return await service
          .get(NewMembers)
          .add(caller, { userId, name, email: user.email, roleId, propertyIds: properties });
      });
    },
  }),
  command({
    name: 'member update',
    description: 'Changes the role, properties or status of a member.',
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
    description: 'Removes a member permanently and revokes the API keys that they created.',
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
  new ServiceError({ status: 404, message: `No account has the address ${email}. Create one with \`user create\`.` });
