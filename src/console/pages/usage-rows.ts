import type { GetUsage, UsageView } from '../../platform/requests/request.dto.js';
import { getUsage } from '../../platform/requests/requests.operations.js';
import type { Visit } from '../frame/visit.js';

/** A busy organization has more rows than a picture needs all of; the newest are there. */
const mostPages = 20;

/** What was counted, page by page. */
export async function usageRows({ ask }: Visit, filters: GetUsage): Promise<UsageView[]> {
  const rows: UsageView[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { items, nextCursor } = await ask(getUsage, { ...filters, limit: 100, cursor });
    rows.push(...items);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return rows;
}

/** Peaks of different minutes have no sum: the highest one counts. */
const counts = { requests: 0, errors: 0, rateLimited: 0, peakPerMinute: 0 };
export type Counted = Readonly<typeof counts>;

/** The sums of the rows by something that they say. */
export function summed(rows: readonly UsageView[], by: (row: UsageView) => string): Map<string, Counted> {
  const sums = new Map<string, Counted>();
  for (const row of rows) {
    const sum = sums.get(by(row)) ?? counts;
    sums.set(by(row), {
      requests: sum.requests + row.requests,
      errors: sum.errors + row.errors,
      rateLimited: sum.rateLimited + row.rateLimited,
      peakPerMinute: Math.max(sum.peakPerMinute, row.peakPerMinute ?? 0),
    });
  }
  return sums;
}
