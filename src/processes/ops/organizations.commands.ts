import { invalidField } from '#errors';
import { Flag, IntersectionType, ListOf, many, one, Pattern, PickType, Text } from '#operations';
import { FoundingService } from '../../tenancy/founding/founding.service.js';
import {
  OperatorSettings,
  OrganizationView,
  UpdateOrganization,
} from '../../tenancy/organizations/organization.dto.js';
import { OrganizationsService } from '../../tenancy/organizations/organizations.service.js';
import { quotaNames } from '../../tenancy/quotas/quotas.js';
import { Quotas } from '../../tenancy/quotas/quotas.service.js';
import { command, NoFlags } from './command.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';
import { quotaLimitsIn } from './quota-flags.js';

class NewOrganization {
  @Text({ description: 'Name of the organization.', max: 200 })
  name: string;

  @Pattern({
    description: 'Short name in commands; by default made from the name.',
    optional: true,
    pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
    max: 60,
    message: 'Pass lowercase letters and digits with single hyphens between them, such as lakeside-stays.',
  })
  slug?: string;
}

class ChangedOrganization extends IntersectionType(
  InOrganization,
  PickType(UpdateOrganization, ['name', 'requireTwoFactor']),
  OperatorSettings,
) {
  @Flag({ description: 'Whether commands to devices are allowed.', optional: true })
  remoteControl?: boolean;

  @Pattern({
    description: 'Maximum and default lifetime of new API keys in days (1 to 3650), or none.',
    optional: true,
    pattern: /^(none|[1-9]\d{0,2}|[12]\d{3}|3[0-5]\d{2}|36[0-4]\d|3650)$/,
    max: 4,
    message: 'Pass a number of days from 1 to 3650, or none.',
  })
  maxKeyDays?: string;

  @ListOf(
    { text: 60 },
    {
      description: `Quota limits as name=value: ${quotaNames.join(', ')}. Repeat the flag, or separate them by commas.`,
      optional: true,
      min: 1,
      max: 50,
    },
  )
  quota?: string[];
}

class ListedOrganization extends PickType(OrganizationView, ['id', 'name', 'slug', 'createdAt']) {}

export const organizationCommands = [
  command({
    name: 'org list',
    description: 'Lists the organizations by name, with the slug that other commands take.',
    input: NoFlags,
    output: many(ListedOrganization),
    columns: ['name', 'slug', 'id', 'createdAt'],
    run: (service) => service.get(Operator).organizations(),
  }),
  command({
    name: 'org create',
    description: 'Creates an organization with its built-in roles.',
    input: NewOrganization,
    output: one(OrganizationView),
    run: async (service, input) => {
      const { organization } = await service.get(FoundingService).found(input);
      return Object.assign(organization, { quotas: await service.get(Quotas).of(organization.id) });
    },
  }),
  command({
    name: 'org update',
    description: 'Changes the settings of an organization.',
    input: ChangedOrganization,
    output: one(OrganizationView),
    run: (service, { org, remoteControl: remoteControlEnabled, maxKeyDays: days, quota = [], ...input }) => {
      const changes = {
        ...input,
        ...(remoteControlEnabled !== undefined && { remoteControlEnabled }),
        ...(days !== undefined && { maxKeyDays: days === 'none' ? null : Number(days) }),
      };
      const limits = quotaLimitsIn(quota);
      if (Object.keys({ ...changes, ...limits }).length === 0)
        throw invalidField([], 'Pass at least one setting to change; help lists the flags.');
      return service
        .get(Operator)
        .inOrganization(org, (caller) => service.get(OrganizationsService).update(caller, changes, limits));
    },
  }),
];
