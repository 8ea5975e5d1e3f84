import { Flag, Text } from './fields.js';

/** The result of a deletion. */
export class DeletionView {
  @Text({ description: 'Id of the deleted record.', max: 64 }) id: string;
  @Flag({ description: 'Always true.' }) deleted: boolean;
}

export const deletionOf = (id: string): DeletionView => ({ id, deleted: true });
