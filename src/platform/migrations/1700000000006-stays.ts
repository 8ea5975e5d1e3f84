import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Properties in full, units, guests and reservations. */
export class Stays1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create extension if not exists btree_gist;
      create extension if not exists pg_trgm;

      alter table properties
        add address jsonb,
        add geo jsonb,
        add capacity integer,
        add wifi bytea,
        add automatic_tasks jsonb not null default '[]',
        add cleaning_status text not null default 'clean',
        add feed_token bytea not null,
        add feed_hash bytea not null constraint properties_feed unique,
        add archived_at timestamptz;
      create index properties_by_name on properties (org_id, name, id);
      create index properties_by_update on properties (org_id, updated_at, id);

      create table units (
        org_id uuid not null references organizations (id),
        id uuid not null,
        property_id uuid not null,
        name text not null,
        capacity integer,
        cleaning_status text not null,
        tags text[] not null,
        metadata jsonb not null,
        archived_at timestamptz,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        unique (org_id, property_id, id),
        foreign key (org_id, property_id) references properties (org_id, id)
      );
      ${isolated('units')}

      create table guests (
        org_id uuid not null references organizations (id),
        id uuid not null,
        name text not null,
        email text,
        phone text,
        locale text,
        notes text,
        metadata jsonb not null,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id)
      );
      create index guests_by_name on guests using gin (org_id, name gin_trgm_ops);
      create index guests_by_update on guests (org_id, updated_at, id);
      ${isolated('guests')}

      create table reservations (
        org_id uuid not null references organizations (id),
        id uuid not null,
        property_id uuid not null,
        unit_id uuid,
        place_id uuid not null generated always as (coalesce(unit_id, property_id)) stored,
        guest_id uuid,
        check_in_date date not null,
        check_out_date date not null check (check_out_date > check_in_date),
        arrival_time time,
        departure_time time,
        arrival_at timestamptz not null,
        departure_at timestamptz not null,
        confirmation_code text,
        channel text,
        status text not null check (status in ('inquiry', 'pending', 'confirmed', 'cancelled', 'declined', 'expired')),
        stay_status text not null check (stay_status in ('not_arrived', 'checked_in', 'checked_out', 'no_show')),
        guest_counts jsonb,
        locale text,
        notes text,
        total jsonb,
        source text not null check (source in ('manual', 'ical', 'provider')),
        connection_id uuid,
        external_id text,
        overlapping boolean not null,
        cancelled_at timestamptz,
        cancellation_reason text,
        metadata jsonb not null,
        external_refs jsonb not null,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        foreign key (org_id, property_id) references properties (org_id, id),
        foreign key (org_id, property_id, unit_id) references units (org_id, property_id, id),
        foreign key (org_id, guest_id) references guests (org_id, id),
        constraint reservations_own_overlap exclude using gist
          (org_id with =, place_id with =, daterange(check_in_date, check_out_date) with &&)
          where (status = 'confirmed' and source = 'manual')
      );
      create unique index reservations_imported on reservations (org_id, connection_id, external_id) where connection_id is not null;
      create index reservations_by_place on reservations (org_id, place_id, arrival_at);
      create index reservations_by_arrival on reservations (org_id, check_in_date, id);
      create index reservations_by_departure on reservations (org_id, check_out_date, id);
      create index reservations_by_property on reservations (org_id, property_id, id);
      create index reservations_by_unit on reservations (org_id, unit_id, id) where unit_id is not null;
      create index reservations_by_status on reservations (org_id, status, id);
      create index reservations_by_stay on reservations (org_id, stay_status, id);
      create index reservations_by_guest on reservations (org_id, guest_id, id);
      create index reservations_by_update on reservations (org_id, updated_at, id);
      ${isolated('reservations')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table reservations, guests, units;
      alter table properties drop address, drop geo, drop capacity, drop wifi, drop automatic_tasks, drop cleaning_status,
        drop feed_token, drop feed_hash, drop archived_at;
    `);
  }
}
