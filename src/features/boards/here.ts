import type { Caller } from '#access';
import { uuidIn } from '#persistence';
import { propertyNotFound } from '../../tenancy/properties/properties.errors.js';
import { type PlaceRow, row } from './rows.js';

/**
 * The property $2 of the organization $1, if the caller may see it ($3: those that the caller is limited to, or null), with
 * the day there at the moment $4 (`today`), the day asked for ($5, or null for today) and the end of that one: so a view of
 * a property takes one statement.
 */
export const here = `
  here as materialized (
    select *, (date + 1)::timestamp at time zone timezone as ends
      from (select id, timezone, check_out_time::time as check_out_time, today, coalesce($5::date, today) as date
              from (select *, ($4::timestamptz at time zone timezone)::date as today
                      from properties
                     where org_id = $1 and id = $2 and ($3::uuid[] is null or id = any($3))) p) p)`;
export const date = '(select date from here)';
export const dayRow = `${row('day', { id: 'id', from_date: 'date', until_date: 'today' })} from here`;

/** The day that a view is about, and the day that it is there. */
export interface Day {
  date: string;
  today: string;
}

/** @throws not_found_error if the caller cannot see the property. */
export function dayOf(rows: readonly PlaceRow[]): Day {
  const found = rows.find(({ kind }) => kind === 'day');
  if (!found) throw propertyNotFound();
  return { date: found.from_date as string, today: found.until_date as string };
}

/** The caller. */
export type ShownTo = Pick<Caller, 'orgId' | 'propertyIds'>;

/** $1 to $5 of `here`. */
export const hereValues = ({ orgId, propertyIds }: ShownTo, propertyId: string, asked?: string): unknown[] => [
  uuidIn(orgId),
  uuidIn(propertyId),
  propertyIds && propertyIds.map(uuidIn),
  new Date().toISOString(),
  asked ?? null,
];
