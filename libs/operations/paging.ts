import { Int, OneOf, Text } from './fields.js';

/** The fields that every list takes, with the sorts that this one offers. */
export function PageOf(sorts: readonly string[]) {
  const offered = sorts.flatMap((name) => [name, `-${name}`]);
  class PageFields {
    @Int({ description: 'Maximum number; default: 20.', optional: true, min: 1, max: 100 })
    limit?: number;

    @Text({
      description: 'meta.pagination.nextCursor of the previous page, with the same filters.',
      optional: true,
      max: 500,
    })
    cursor?: string;

    @OneOf(offered, {
      description: 'Sort field; - for descending order. Default: -createdAt.',
      optional: true,
    })
    sort?: string;
  }
  return PageFields;
}
