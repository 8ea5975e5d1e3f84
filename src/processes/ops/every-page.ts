import type { Page } from '#operations';

/** The whole list, read page by page. */
export async function everyPage<T>(list: (cursor?: string) => Promise<Page<T>>): Promise<Page<T>> {
  const all = await list();
  while (all.nextCursor) {
    const { items, nextCursor } = await list(all.nextCursor);
    all.items.push(...items);
    all.nextCursor = nextCursor;
  }
  return all;
}
