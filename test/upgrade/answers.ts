import type { Api, Json } from '../support/api.js';

interface At {
  url: string;
  api: Api;
}

/**
 * The complete response of a path: all pages of a list, without what belongs to the request rather than to the record.
 */
export async function answerOf({ api, url }: At, path: string): Promise<Json> {
  const items: Json[] = [];
  let cursor = '';
  for (;;) {
    const { status, body, text } = await api.get(`${path}${path.includes('?') ? '&' : '?'}${cursor}`);
    if (status !== 200) throw new Error(`${path}: ${text}`);
    if (!body)
      return portable(
        url,
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Json),
      );
    const { data, meta } = body as Json;
    if (!Array.isArray(data)) return portable(url, data);
    items.push(...data);
    const { nextCursor } = meta.pagination ?? {};
    // The feed of events has a cursor at its end too.
    if (!nextCursor || data.length === 0) return portable(url, items);
    cursor = `cursor=${encodeURIComponent(nextCursor)}`;
  }
}

/** Without the port, which differs at each start. */
export const portable = (url: string, value: Json): Json =>
  JSON.parse(JSON.stringify(value).replaceAll(url, '{url}')) as Json;
