import { IntersectionType, PickType } from '@nestjs/swagger';
import { one, TimeZone } from '#operations';
import { OrganizationsService } from '../../tenancy/organizations/organizations.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { CreateProperty, PropertyView } from '../../organizations/property.dto.js';
import { command } from './command.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';

class NewProperty extends IntersectionType(InOrganization, PickType(CreateProperty, ['name'])) {
  @TimeZone({ about: "Its IANA time zone; the organization's when left out.", optional: true })
  timezone?: string;
}

export const propertyCommands = [
  command({
    name: 'property create',
    about: 'Adds a property.',
    input: NewProperty,
    output: one(PropertyView),
    run: (service, { org, name, timezone }) =>
      service.get(Operator).inOrganization(org, async (caller) => {
        const organization = await service.get(OrganizationsService).get(caller);
        return await service
          .get(PropertiesService)
          .create(caller, { name, timezone: timezone ?? organization.timezone });
      }),
  }),
];
