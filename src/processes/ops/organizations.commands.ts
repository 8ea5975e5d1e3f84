import { IntersectionType, PickType } from '@nestjs/swagger';
import { invalidField } from '#errors';
import { Flag, ListOf, one, Pattern, Text } from '#operations';
import { FoundingService } from '../../tenancy/founding/founding.service.js';
import { OperatorSettings, OrganizationView, UpdateOrganization } from '../../organizations/organization.dto.js';
import { OrganizationsService } from '../../tenancy/organizations/organizations.service.js';
import { quotaNames } from '../../tenancy/quotas/quotas.js';
import { Quotas } from '../../tenancy/quotas/quotas.service.js';
import { command } from './command.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';
import { quotaLimitsIn } from './quota-flags.js';

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

  @Pattern({
    about: 'The longest and the default life of new API keys in days (1 to 3650), or none.',
    optional: true,
    pattern: /^(none|[1-9]\d{0,2}|[12]\d{3}|3[0-5]\d{2}|36[0-4]\d|3650)$/,
    max: 4,
    says: 'Give a number of days from 1 to 3650, or none.',
  })
  maxKeyDays?: string;

  @ListOf(
    { text: 60 },
    {
      about: `What it may have, as name=value: ${quotaNames.join(', ')}. Give the flag once for each, or commas between.`,
      optional: true,
      min: 1,
      max: 50,
    },
  )
  quota?: string[];
}

export const organizationCommands = [
  command({
    name: 'org create',
    about: 'Makes an organization with its built-in roles.',
    input: NewOrganization,
    output: one(OrganizationView),
    run: async (service, input) => {
      const { organization } = await service.get(FoundingService).found(input);
      return Object.assign(organization, { quotas: await service.get(Quotas).of(organization.id) });
    },
  }),
  command({
    name: 'org update',
    about: "Changes an organization's settings.",
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
        throw invalidField([], 'Say what to change; help names the flags.');
      return service
        .get(Operator)
        .inOrganization(org, (caller) => service.get(OrganizationsService).update(caller, changes, limits));
    },
  }),
];
