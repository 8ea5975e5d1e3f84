import { type Answer, bodyOf } from '#errors';

/** Clients truncate longer results, some silently, so lists end before that. */
const mostBytes = 60_000;
/** The bytes around the records. */
const frameBytes = 500;

/** An answer, and the bytes of it. */
export interface Written {
  readonly answer: Answer;
  readonly body: string;
}

/**
 * A response for an assistant: a page that is too long ends earlier, with the cursor of its last record. Single records
 * stay whole.
 *
 * @param list asks for the same page with fewer records.
 */
export async function withinCap(answer: Answer, list: (limit: number) => Promise<Answer>): Promise<Written> {
  const body = await bodyOf(answer);
  const records = recordsOf(answer);
  if (!records || Buffer.byteLength(body) <= mostBytes) return { answer, body };
  const limit = fitting(records);
  if (limit >= records.length) return { answer, body };
  const shorter = await list(limit);
  if (shorter.code !== undefined) return { answer, body };
  const truncated = `Only ${limit} of ${records.length} records, because more would be too long for an assistant. Pass nextCursor as cursor to get more.`;
  const cut = { ...shorter, value: { ...shorter.value, meta: { ...shorter.value.meta, truncated } } };
  return { answer: cut, body: await bodyOf(cut) };
}

/** The records of a page; undefined for everything else. */
const recordsOf = ({ code, value }: Answer): unknown[] | undefined =>
  code === undefined && 'data' in value && value.meta.pagination && Array.isArray(value.data) ? value.data : undefined;

/** How many of the records there is room for; one at least. */
function fitting(records: unknown[]): number {
  let bytes = frameBytes;
  const last = records.findIndex((record) => (bytes += Buffer.byteLength(JSON.stringify(record)) + 1) > mostBytes);
  return last < 0 ? records.length : Math.max(1, last);
}
