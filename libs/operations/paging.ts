import { Int, OneOf, Text } from '#operations';

/** The fields that every list takes, with the sorts that this one offers. */
export function PageOf(sorts: readonly string[]) {
  const offered = sorts.flatMap((name) => [name, `-${name}`]);
  class PageFields {
    @Int({ about: 'How many to answer at most; 20 when left out.', optional: true, min: 1, max: 100 })
    limit?: number;

    @Text({ about: 'The nextCursor of the page before.', optional: true, max: 500 })
    cursor?: string;

    @OneOf(offered, { about: 'The order, - before the name for descending; -createdAt when left out.', optional: true })
    sort?: string;
  }
  return PageFields;
}
