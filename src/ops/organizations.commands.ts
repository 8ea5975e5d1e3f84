import { IntersectionType, PickType } from '@nestjs/swagger';
import { invalidField } from '#errors';
import { Flag, one, Pattern, Text } from '#operations';
import { FoundingService } from '../organizations/founding.service.js';
import { OperatorSettings, OrganizationView, UpdateOrganization } from '../organizations/organization.dto.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { command } from './command.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';

class NewOrganization {
  @Text({ about: 'What the organization is called.', max: 200 })
  name: string;

  @Pattern({
    about: 'Its short name in commands; made of the name when left out.',
    optional: true,
    pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
    max: 60,
    says: 'Give small letters and digits, with single hyphens between them: lakeside-stays.',
  })
  slug?: string;
}

class ChangedOrganization extends IntersectionType(
  InOrganization,
  PickType(UpdateOrganization, ['name', 'requireTwoFactor']),
  OperatorSettings,
) {
  @Flag({ about: 'Whether devices may be commanded from here at all.', optional: true })
  remoteControl?: boolean;
}

export const organizationCommands = [
  command({
    name: 'org create',
    about: 'Makes an organization with its built-in roles.',
    input: NewOrganization,
    output: one(OrganizationView),
    run: async (service, input) => (await service.get(FoundingService).found(input)).organization,
  }),
  command({
    name: 'org update',
    about: "Changes an organization's settings.",
    input: ChangedOrganization,
    output: one(OrganizationView),
    run: (service, { org, remoteControl: remoteControlEnabled, ...input }) => {
      const changes = { ...input, ...(remoteControlEnabled !== undefined && { remoteControlEnabled }) };
      if (Object.keys(changes).length === 0) throw invalidField([], 'Say what to change; help names the flags.');
      return service
        .get(Operator)
        .inOrganization(org, (caller) => service.get(OrganizationsService).update(caller, changes));
    },
  }),
];
