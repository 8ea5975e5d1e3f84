import { Text } from '#operations';

/** The flag of every command that works inside an organization. */
export class InOrganization {
  @Text({ description: 'Id or slug of the organization.', max: 100 })
  org: string;
}
