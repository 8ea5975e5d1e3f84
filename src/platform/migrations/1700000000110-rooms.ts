import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Room types, blocks, and the nights that stays take: of a unit, of a type before a unit is chosen, or of a property. */
export class Rooms1700000000110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(unitTypes);
    await runner.query(reservations);
    await runner.query(segments);
    await runner.query(blocks);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table unit_blocks;
      drop trigger reservations_take_nights on reservations;
      drop trigger reservations_change_nights on reservations;
      drop function keep_stay_segments;
      drop table stay_segments;
      drop type uuid_range;
      delete from reservations where check_in_date = check_out_date;
      drop index reservations_by_type, reservations_by_next_room;
      alter table reservations
        drop constraint reservations_day_use,
        drop constraint reservations_dates,
        drop occupied_from, drop occupied_until,
        drop unit_type_id, drop booked_unit_type_id, drop group_ref, drop checked_in_at, drop departed_at, drop departed_on,
        drop released, drop rooms, drop next_room_from, drop exempt,
        alter column place_id set expression as (coalesce(unit_id, property_id)),
        add check (check_out_date > check_in_date);
      alter table units drop unit_type_id, drop floor, drop sort_order, drop connects_to;
      drop table unit_types;
    `);
  }
}

const unitTypes = `
  create table unit_types (
    org_id uuid not null references organizations (id),
    id uuid not null,
    property_id uuid not null,
    name text not null,
    code text,
    capacity integer,
    bed_configuration text,
    tags text[] not null,
    sort_order integer not null,
    archived_at timestamptz,
    version integer not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, id),
    unique (org_id, property_id, id),
    foreign key (org_id, property_id) references properties (org_id, id)
  );
  create unique index unit_types_by_code on unit_types (org_id, property_id, code) where archived_at is null;
  ${isolated('unit_types')}

  alter table units
    add unit_type_id uuid,
    add floor text,
    add sort_order integer not null default 0,
    add connects_to uuid[] not null default '{}',
    add foreign key (org_id, property_id, unit_type_id) references unit_types (org_id, property_id, id);
  create index units_by_type on units (org_id, unit_type_id, id) where unit_type_id is not null;
`;

/**
 * What a stay names and what became of it. The nights that it takes follow from that; an unassigned stay is a place of
 * its own, since it is next to no other.
 */
const reservations = `
  alter table reservations
    drop constraint reservations_own_overlap,
    drop constraint reservations_check,
    add constraint reservations_dates check (check_out_date >= check_in_date),
    add unit_type_id uuid,
    add booked_unit_type_id uuid,
    add group_ref text,
    add checked_in_at timestamptz,
    add departed_at timestamptz,
    add departed_on date,
    add released boolean not null default false,
    add rooms jsonb not null default '[]',
    add next_room_from date,
    add exempt boolean not null default false,
    add foreign key (org_id, property_id, unit_type_id) references unit_types (org_id, property_id, id),
    add foreign key (org_id, booked_unit_type_id) references unit_types (org_id, id);
  alter table reservations
    alter column place_id set expression as
      (case when unit_id is null and unit_type_id is not null then id else coalesce(unit_id, property_id) end),
    add occupied_from date generated always as (
      case when status in ('inquiry', 'pending', 'confirmed') and not released and check_in_date < check_out_date
           then check_in_date end) stored,
    add occupied_until date generated always as (
      case when status in ('inquiry', 'pending', 'confirmed') and not released and check_in_date < check_out_date
           then least(check_out_date, greatest(check_in_date, coalesce(departed_on, check_out_date))) end) stored;
  create index reservations_by_type on reservations (org_id, unit_type_id, id) where unit_type_id is not null;
  create index reservations_by_next_room on reservations (next_room_from) where next_room_from is not null;

  -- Stays that overlap today are kept until their nights or place change; so are those of other systems.
  alter table reservations no force row level security;
  update reservations set exempt = true where overlapping or (source <> 'manual' and connection_id is not null);
  update reservations r set exempt = true, overlapping = true
   where r.status = 'confirmed' and exists (
     select 1 from reservations o
      where o.org_id = r.org_id and o.property_id = r.property_id and o.id <> r.id and o.status = 'confirmed'
        and (o.unit_id is null) <> (r.unit_id is null)
        and o.check_in_date < r.check_out_date and o.check_out_date > r.check_in_date);
  alter table reservations force row level security;

  -- Hours of one day take no night, and clash only with other hours at the same place.
  alter table reservations add constraint reservations_day_use exclude using gist
    (org_id with =, place_id with =, tstzrange(arrival_at, departure_at) with &&)
    where (check_in_date = check_out_date and status = 'confirmed' and not released and not exempt);
`;

/**
 * The nights that confirmed stays take, kept by the database itself. A unit is a point in \`places\`, the whole property
 * is all of it, and a stay without a unit is a point of its own: so one constraint keeps apart all that must not meet,
 * except how many stays a type has room for.
 */
const segments = `
  create type uuid_range as range (subtype = uuid);
  create table stay_segments (
    org_id uuid not null,
    reservation_id uuid not null,
    property_id uuid not null,
    unit_id uuid,
    unit_type_id uuid,
    from_date date not null,
    until_date date not null,
    exempt boolean not null,
    places uuid_range not null generated always as (
      case when unit_id is not null then uuid_range(unit_id, unit_id, '[]')
           when unit_type_id is not null then uuid_range(reservation_id, reservation_id, '[]')
           else uuid_range(null, null) end) stored,
    primary key (org_id, reservation_id, from_date),
    foreign key (org_id, reservation_id) references reservations (org_id, id) on delete cascade
  );

  create function keep_stay_segments() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' then
      delete from stay_segments where org_id = new.org_id and reservation_id = new.id;
    end if;
    if new.status = 'confirmed' and new.occupied_from < new.occupied_until then
      insert into stay_segments (org_id, reservation_id, property_id, unit_id, unit_type_id, from_date, until_date, exempt)
      select new.org_id, new.id, new.property_id, unit_id, case when unit_id is null then new.unit_type_id end,
             from_date, least(until_date, new.occupied_until), new.exempt
        from (select new.unit_id, new.occupied_from as from_date, new.occupied_until as until_date where new.rooms = '[]'
              union all
              select substr(room ->> 'unitId', 6)::uuid,
                     case when place = 1 then new.occupied_from else (room ->> 'from')::date end,
                     lead((room ->> 'from')::date, 1, new.occupied_until) over (order by place)
                from jsonb_array_elements(new.rooms) with ordinality as r (room, place)) s
       where from_date < least(until_date, new.occupied_until);
    end if;
    return null;
  end $$;

  alter table reservations no force row level security;
  insert into stay_segments (org_id, reservation_id, property_id, unit_id, from_date, until_date, exempt)
    select org_id, id, property_id, unit_id, occupied_from, occupied_until, exempt
      from reservations where status = 'confirmed' and occupied_from < occupied_until;
  alter table reservations force row level security;
  alter table stay_segments add constraint stay_segments_own_overlap exclude using gist
    (org_id with =, property_id with =, places with &&, daterange(from_date, until_date) with &&) where (not exempt);
  create index stay_segments_by_property on stay_segments (org_id, property_id, until_date, from_date);
  create index stay_segments_by_unit on stay_segments (org_id, unit_id, until_date, from_date) where unit_id is not null;
  create index stay_segments_by_type on stay_segments (org_id, unit_type_id, until_date, from_date)
    where unit_type_id is not null;
  ${isolated('stay_segments')}

  create trigger reservations_take_nights after insert on reservations for each row
    when (new.status = 'confirmed') execute function keep_stay_segments();
  create trigger reservations_change_nights after update on reservations for each row
    when ((old.status, old.property_id, old.unit_id, old.unit_type_id, old.occupied_from, old.occupied_until, old.rooms, old.exempt)
      is distinct from
      (new.status, new.property_id, new.unit_id, new.unit_type_id, new.occupied_from, new.occupied_until, new.rooms, new.exempt))
    execute function keep_stay_segments();
`;

const blocks = `
  create table unit_blocks (
    org_id uuid not null references organizations (id),
    id uuid not null,
    property_id uuid not null,
    unit_id uuid,
    from_date date not null,
    until_date date check (until_date >= from_date),
    kind text not null check (kind in ('out_of_order', 'out_of_service', 'owner_use')),
    reason text,
    return_status text not null,
    task_id uuid,
    ended_at timestamptz,
    version integer not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, id),
    foreign key (org_id, property_id) references properties (org_id, id),
    foreign key (org_id, property_id, unit_id) references units (org_id, property_id, id),
    foreign key (org_id, task_id) references tasks (org_id, id)
  );
  create index unit_blocks_by_property on unit_blocks (org_id, property_id, id);
  create index unit_blocks_by_unit on unit_blocks (org_id, unit_id, until_date) where unit_id is not null;
  create index unit_blocks_by_task on unit_blocks (org_id, task_id) where task_id is not null;
  create index unit_blocks_open on unit_blocks (until_date) where ended_at is null;
  ${isolated('unit_blocks')}
`;
