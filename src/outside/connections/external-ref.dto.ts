import { Text } from '#operations';

/** The other system's name for a record of ours. */
export class ExternalRef {
  @Text({ description: 'System that has the record.', max: 100 }) connectionId: string;
  @Text({ description: 'Id of the record in that system.', max: 200 }) externalId: string;
}
