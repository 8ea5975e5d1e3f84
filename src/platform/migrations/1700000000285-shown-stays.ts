import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Stay {
  org_id: string;
  id: string;
}
const zero = '00000000-0000-0000-0000-000000000000';
const first: Stay = { org_id: zero, id: zero };

/**
 * What boards show of a stay, beside its nights: a board of many rooms then reads one range of rows, and looks up neither
 * stays nor guests.
 */
export class ShownStays1700000000285 implements MigrationInterface {
  /** The rows of 500 stays at a time are filled in a transaction of their own. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
    // The owner of the tables is under row security too.
    await runner.query('set role app_system');
    for (let last: Stay | undefined = first; last;)
      [last] = (await runner.query(fill, [last.org_id, last.id])) as Stay[];
    await runner.query('reset role');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger guests_change_stays on guests;
      drop trigger reservations_change_shown on reservations;
      drop function rename_stay_segments, show_stay_segments;
      ${keepStaySegments('begin', '', '')}
      alter table stay_segments drop guest_name, drop stay_status, drop arrival, drop departure, drop check_in_date, drop group_ref,
        drop here_now;
    `);
  }
}

/** The function of the nights, with further columns, whose values are read before anything else is locked. */
const keepStaySegments = (reads: string, columns: string, values: string): string => `
  create or replace function keep_stay_segments() returns trigger language plpgsql as $$
  ${reads}
    if tg_op = 'UPDATE' then
      delete from stay_segments where org_id = new.org_id and reservation_id = new.id;
    end if;
    if new.status = 'confirmed' and new.occupied_from < new.occupied_until then
      insert into stay_segments (org_id, reservation_id, property_id, unit_id, unit_type_id, from_date, until_date, exempt${columns})
      select new.org_id, new.id, new.property_id, unit_id, case when unit_id is null then new.unit_type_id end,
             from_date, least(until_date, new.occupied_until), new.exempt${values}
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
`;

/**
 * Who changes a stay waits for who renames its guest, and the other way round: each then sees what the other wrote. A guest
 * is locked before the nights are, or they would wait for each other, and read by a statement of its own, which sees what
 * the lock has waited for.
 */
const readGuest = `
  declare guest text;
  begin
    perform from guests where org_id = new.org_id and id = new.guest_id for key share;
    select name into guest from guests where org_id = new.org_id and id = new.guest_id;`;

const shown = 'guest_name, stay_status, arrival, departure, check_in_date, group_ref';
const shownOf = (stay: string, guest: string): string => `
  ${guest}, ${stay}.stay_status, ${stay}.arrival_at at time zone ${stay}.timezone, ${stay}.departure_at at time zone ${stay}.timezone,
  ${stay}.check_in_date, ${stay}.group_ref`;

const columns = `
  alter table stay_segments
    add column if not exists guest_name text,
    add column if not exists stay_status text,
    -- Local to the property.
    add column if not exists arrival timestamp,
    add column if not exists departure timestamp,
    add column if not exists check_in_date date,
    add column if not exists group_ref text,
    -- Whether the stay is in this unit now, and not in the one that it came from.
    add column if not exists here_now boolean;

  ${keepStaySegments(readGuest, `, ${shown}, here_now`, `, ${shownOf('new', 'guest')}, unit_id is not distinct from new.unit_id`)}

  create or replace function show_stay_segments() returns trigger language plpgsql as $$
  ${readGuest}
    update stay_segments set (${shown}) = row (${shownOf('new', 'guest')}) where org_id = new.org_id and reservation_id = new.id;
    return null;
  end $$;
  create or replace trigger reservations_change_shown after update on reservations for each row
    when ((old.guest_id, old.stay_status, old.arrival_at, old.departure_at, old.timezone, old.check_in_date, old.group_ref)
      is distinct from
      (new.guest_id, new.stay_status, new.arrival_at, new.departure_at, new.timezone, new.check_in_date, new.group_ref))
    execute function show_stay_segments();

  create or replace function rename_stay_segments() returns trigger language plpgsql as $$
  begin
    perform from guests where org_id = new.org_id and id = new.id for update;
    update stay_segments s set guest_name = new.name
      from reservations r
     where r.org_id = new.org_id and r.guest_id = new.id and s.org_id = r.org_id and s.reservation_id = r.id;
    return null;
  end $$;
  create or replace trigger guests_change_stays after update on guests for each row
    when (old.name is distinct from new.name) execute function rename_stay_segments();
`;

const guestOf = '(select name from guests where org_id = r.org_id and id = r.guest_id for share)';

/** Stays ($1 the organization, $2 the stay after which to begin) are locked, so that their rows do not get older values. */
const fill = `
  with batch as materialized (
    select * from reservations where (org_id, id) > ($1::uuid, $2::uuid) order by org_id, id limit 500 for share),
  filled as (
    update stay_segments s
       set (${shown}, here_now) = row (${shownOf('r', guestOf)}, r.unit_id is not distinct from s.unit_id)
      from batch r
     where s.org_id = r.org_id and s.reservation_id = r.id and s.stay_status is null)
  select org_id, id from batch order by org_id desc, id desc limit 1`;
