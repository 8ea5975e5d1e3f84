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
  check_in_date: 'date',
  arrival: 'text',
  departure: 'text',
  /** Where the stay is today. */
  room_now: 'uuid',
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

type Typed = 'kind' | 'sort_order' | 'do_not_disturb' | 'make_up_room' | 'count';
export interface PlaceRow extends Record<Exclude<Column, Typed>, string | null> {
  kind: 'unit' | 'stay' | 'block' | 'work' | 'reason' | 'unassigned';
  sort_order: number;
  do_not_disturb: boolean;
  make_up_room: boolean;
  count: number;
}

export const guestName = '(select name from guests where org_id = $1 and id = r.guest_id)';

export const stayRow = (name: string): string =>
  row('stay', {
    id: 'r.id',
    unit_id: 's.unit_id',
    unit_type_id: 's.unit_type_id',
    name,
    status: 'r.stay_status',
    from_date: 's.from_date',
    until_date: 's.until_date',
    check_in_date: 'r.check_in_date',
    room_now: 'r.unit_id',
    arrival: `(r.arrival_at at time zone r.timezone)::text`,
    departure: `(r.departure_at at time zone r.timezone)::text`,
    text: 'r.group_ref',
  });

export const unitRow = row('unit', {
  id: 'u.id',
  unit_type_id: 'u.unit_type_id',
  name: 'u.name',
  floor: 'u.floor',
  sort_order: 'u.sort_order',
  status: 'u.cleaning_status',
  do_not_disturb: 'coalesce(u.do_not_disturb_until > $3::timestamptz, false)',
  make_up_room: 'coalesce(u.make_up_room_until > $3::timestamptz, false)',
});

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
