import { Int, OneOf, Text, Timestamp } from './fields.js';

/** The fields that every list takes, with the sorts that this one offers. */
export function PageOf(sorts: readonly string[]) {
  const offered = sorts.flatMap((name) => [name, `-${name}`]);
  class PageFields {
    @Int({ description: 'Maximum number; default: 20.', optional: true, min: 1, max: 100 })
    limit?: number;

    @Text({
      description: 'nextCursor of the previous page; keep the filters.',
      optional: true,
      max: 500,
    })
    cursor?: string;

    @OneOf(offered, {
      description: 'Order; - for descending; default: -createdAt.',
      optional: true,
    })
    sort?: string;
  }
  return PageFields;
}

/** The same for a list that is looked at by the time of its records. */
export function PageOfTimes(sorts: readonly string[]) {
  class PageOfTimesFields extends PageOf(sorts) {
    @Timestamp({ description: 'Only those created at or after this time.', optional: true }) from?: string;
    @Timestamp({ description: 'Only those created before this time.', optional: true }) to?: string;
  }
  return PageOfTimesFields;
}
