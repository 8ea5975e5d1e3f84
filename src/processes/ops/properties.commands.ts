import { IntersectionType, one, PickType, TimeZone } from '#operations';
import { OrganizationsService } from '../../tenancy/organizations/organizations.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { CreateProperty, PropertyView } from '../../tenancy/properties/property.dto.js';
import { command } from './command.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';

class NewProperty extends IntersectionType(InOrganization, PickType(CreateProperty, ['name'])) {
  @TimeZone({ description: 'IANA time zone; default: that of the organization.', optional: true })
  timezone?: string;
}

export const propertyCommands = [
  command({
    name: 'property create',
    description: 'Adds a property.',
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
