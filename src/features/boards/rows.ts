import { idColumn } from '#persistence';

/** The columns of every row; which of them a row has depends on its kind. */
const columns = {
  kind: 'text',
  id: 'uuid',
  unit_id: 'uuid',
  unit_type_id: 'uuid',
  name: 'text',
  floor: 'text',
  sort_order: 'integer',
  status: 'text',
  do_not_disturb: 'boolean',
  make_up_room: 'boolean',
  from_date: 'date',
  until_date: 'date',
  /** Whether the stay began before the day that is shown. */
  began: 'boolean',
  /** Whether the stay is in this unit today. */
  here_now: 'boolean',
  arrival: 'text',
  departure: 'text',
  count: 'integer',
  text: 'text',
} as const;
type Column = keyof typeof columns;

export const row = (kind: string, given: Partial<Record<Column, string>>): string =>
  `select ${Object.entries({ ...columns, ...given })
    .map(([name, value]) =>
      name === 'kind' ? `'${kind}' as kind` : name in given ? `${value} as ${name}` : `null::${value} as ${name}`,
    )
    .join(', ')}`;

type Flags = 'do_not_disturb' | 'make_up_room' | 'began' | 'here_now';
export interface PlaceRow
  extends Record<Exclude<Column, 'kind' | 'sort_order' | 'count' | Flags>, string | null>, Record<Flags, boolean> {
  kind: 'day' | 'unit' | 'stay' | 'block' | 'work' | 'reason' | 'unassigned';
  sort_order: number;
  count: number;
}

export const guestName = '(select name from guests where org_id = $1 and id = r.guest_id)';

/** A row for each place where a stay is (`s`, of stay_segments), with what else the view shows of it. */
export const stayRow = (near: string, given: Partial<Record<Column, string>>): string =>
  `${row('stay', {
    id: 's.reservation_id',
    unit_id: 's.unit_id',
    name: 's.guest_name',
    status: 's.stay_status',
    from_date: 's.from_date',
    until_date: 's.until_date',
    arrival: 's.arrival::text',
    departure: 's.departure::text',
    ...given,
  })} from ${near} s`;

/** A stay (r) with the columns of stay_segments that every view shows, as if it ended on the day, or also began on another. */
export const stayAsUntil = (day: string, from = 'r.check_in_date'): string =>
  `r.unit_id, r.id as reservation_id, ${from} as from_date, ${day} as until_date,
           ${guestName} as guest_name, r.stay_status, r.arrival_at at time zone r.timezone as arrival,
           r.departure_at at time zone r.timezone as departure, r.check_in_date, true as here_now`;

/**
 * The confirmed day uses at the property, with the columns of stay_segments, which has nights only: one has as its unit and
 * type what its nights would have, and ends on the day on which it starts.
 */
export const dayUses = `
  day_uses as (
    select ${stayAsUntil('r.check_out_date')},
           case when r.unit_id is null then r.unit_type_id end as unit_type_id, r.group_ref
      from reservations r
     where r.org_id = $1 and r.property_id = $2 and r.check_in_date >= (select date from here)
       and r.check_in_date = r.check_out_date and r.status = 'confirmed' and not r.released)`;

/** The units of the property. Read once where a statement needs them more than once, as part of it otherwise. */
export const rooms = `
  rooms as (
    select * from units where org_id = $1 and property_id = (select id from here) and archived_at is null)`;

export const unitRow = `${row('unit', {
  id: 'u.id',
  unit_type_id: 'u.unit_type_id',
  name: 'u.name',
  floor: 'u.floor',
  sort_order: 'u.sort_order',
  status: 'u.cleaning_status',
  do_not_disturb: 'coalesce(u.do_not_disturb_until > $4::timestamptz, false)',
  make_up_room: 'coalesce(u.make_up_room_until > $4::timestamptz, false)',
})} from rooms u`;

export const blockRow = row('block', {
  id: 'b.id',
  unit_id: 'b.unit_id',
  status: 'b.kind',
  from_date: 'b.from_date',
  until_date: 'b.until_date',
  text: 'b.reason',
});

export const ids = {
  block: idColumn('block'),
  reservation: idColumn('reservation'),
  unit: idColumn('unit'),
  unitType: idColumn('unittype'),
};

/** By when a task (t) is work to do: its due time, else when it can start, else at any time; as its index has it. */
export const workBegins = `(case when t.due_at is not null then t.due_at when t.can_start_at is not null then t.can_start_at
                               else '-infinity'::timestamptz end)`;
