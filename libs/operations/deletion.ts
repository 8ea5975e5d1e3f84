import { Flag, Text } from '#operations';

/** What a deletion answers. */
export class DeletionView {
  @Text({ about: 'What was deleted.', max: 64 }) id: string;
  @Flag({ about: 'Always true.' }) deleted: boolean;
}

export const deletionOf = (id: string): DeletionView => ({ id, deleted: true });
