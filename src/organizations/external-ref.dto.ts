import { Text } from '#operations';

/** What another system calls a record of ours. */
export class ExternalRef {
  @Text({ about: 'The system that knows the record.', max: 100 }) connectionId: string;
  @Text({ about: 'Its id there.', max: 200 }) externalId: string;
}
