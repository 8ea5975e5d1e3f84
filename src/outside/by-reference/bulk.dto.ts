import { BulkError, Flag, ObjectOf, OneOf, savedOutcomes, type Saved, Text } from '#operations';
import { ThisConnection } from '../connections/connection.dto.js';

export const mostItems = 200;
export const mostAtomicItems = 50;

/** What every bulk save takes beside its items. */
export class BulkSave extends ThisConnection {
  @Flag({
    description: 'true: save all of at most 50 items, or none if one is rejected; default: false.',
    optional: true,
  })
  atomic?: boolean;
}

/** The outcome of an item. */
export class BulkSaveResult {
  @Text({ description: 'Your id of the record, as in the request.', max: 200 }) externalId: string;
  @OneOf(savedOutcomes, { description: 'Outcome for the record.', optional: true })
  outcome?: Saved<unknown>['outcome'];
  @Text({ description: 'Id of the record in this service.', max: 60, optional: true }) id?: string;
  @Text({ description: 'Hash of the last saved content, for reconciling.', max: 50, optional: true })
  contentHash?: string;
  @ObjectOf(() => BulkError, { description: 'Why the item was not saved.', optional: true }) error?: BulkError;
}

/** @param one the operation that saves one of them. */
export const itemsOf = (one: string) => ({
  description: `Records to save, each with externalId and the fields of ${one}.`,
  max: mostItems,
  example: [{ externalId: '1001' }],
});
