import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Codes that open doors. */
export class AccessCodes1700000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table access_codes (
        org_id uuid not null references organizations (id),
        id uuid not null,
        device_id uuid not null,
        property_id uuid,
        reservation_id uuid,
        name text not null,
        type text not null check (type in ('time_bound', 'ongoing', 'one_time')),
        status text not null check (status in ('scheduled', 'setting', 'set', 'removing', 'removed', 'failed')),
        sealed bytea not null,
        starts_at timestamptz,
        ends_at timestamptz,
        failed_because text,
        provider_ref text,
        asked boolean not null,
        renewed boolean not null,
        attempt integer not null,
        failures integer not null,
        due_at timestamptz,
        lease_until timestamptz,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        foreign key (org_id, device_id) references devices (org_id, id),
        foreign key (org_id, property_id) references properties (org_id, id),
        foreign key (org_id, reservation_id) references reservations (org_id, id),
        check (due_at is null or status not in ('removed', 'failed'))
      );
      create index access_codes_by_device on access_codes (org_id, device_id, id);
      create index access_codes_by_property on access_codes (org_id, property_id, id);
      create index access_codes_by_reservation on access_codes (org_id, reservation_id) where reservation_id is not null;
      create index access_codes_by_updated on access_codes (org_id, updated_at, id);
      create index access_codes_due on access_codes (due_at) where due_at is not null;
      ${isolated('access_codes')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table access_codes');
  }
}
