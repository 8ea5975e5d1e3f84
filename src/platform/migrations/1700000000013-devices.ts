import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Devices, what they said, what they were told, and what the simulated vendor remembers of its own. */
export class Devices1700000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table organizations add remote_control_enabled boolean not null default true;

      create table devices (
        org_id uuid not null references organizations (id),
        id uuid not null,
        connection_id uuid not null,
        provider_device_id text not null,
        name text not null,
        type text not null check (type in ('lock', 'thermostat', 'sensor')),
        property_id uuid,
        unit_id uuid,
        manufacturer text,
        model text,
        capabilities jsonb not null,
        limits jsonb not null,
        online boolean not null,
        battery_level integer,
        state jsonb not null,
        state_reported_at timestamptz,
        remote_control_enabled boolean not null,
        archived_at timestamptz,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        unique (org_id, connection_id, provider_device_id),
        foreign key (org_id, connection_id) references connections (org_id, id),
        foreign key (org_id, property_id) references properties (org_id, id),
        foreign key (org_id, property_id, unit_id) references units (org_id, property_id, id)
      );
      create index devices_by_property on devices (org_id, property_id, id);
      create index devices_by_name on devices (org_id, name, id);
      create index devices_by_updated on devices (org_id, updated_at, id);
      ${isolated('devices')}

      create table device_readings (
        org_id uuid not null references organizations (id),
        id uuid not null,
        device_id uuid not null,
        reported_at timestamptz not null,
        online boolean not null,
        battery_level integer,
        state jsonb not null,
        primary key (org_id, id),
        foreign key (org_id, device_id) references devices (org_id, id)
      );
      create index device_readings_by_device on device_readings (org_id, device_id, id);
      create index device_readings_by_time on device_readings (org_id, device_id, reported_at);
      ${isolated('device_readings')}

      create table device_commands (
        org_id uuid not null references organizations (id),
        id uuid not null,
        device_id uuid not null,
        property_id uuid,
        operation text not null,
        args jsonb not null,
        status text not null check (status in ('queued', 'refused', 'sent', 'succeeded', 'failed', 'unknown')),
        requested_by uuid not null,
        principal text,
        idempotency_key text,
        attempt integer not null,
        due_at timestamptz,
        provider_ref text,
        error jsonb,
        sent_at timestamptz,
        settled_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        foreign key (org_id, device_id) references devices (org_id, id),
        foreign key (org_id, property_id) references properties (org_id, id),
        foreign key (org_id, requested_by) references members (org_id, id),
        check ((due_at is null) = (status not in ('queued', 'sent')))
      );
      create unique index device_commands_one_at_a_time on device_commands (org_id, device_id) where status = 'sent';
      create unique index device_commands_by_key on device_commands (org_id, principal, idempotency_key)
        where idempotency_key is not null;
      create index device_commands_by_device on device_commands (org_id, device_id, id);
      create index device_commands_due on device_commands (due_at) where due_at is not null;
      ${isolated('device_commands')}

      create table simulated_devices (
        org_id uuid not null references organizations (id),
        connection_id uuid not null,
        provider_device_id text not null,
        memory jsonb not null,
        primary key (org_id, connection_id, provider_device_id),
        foreign key (org_id, connection_id) references connections (org_id, id)
      );
      ${isolated('simulated_devices')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table simulated_devices;
      drop table device_commands;
      drop table device_readings;
      drop table devices;
      alter table organizations drop remote_control_enabled;
    `);
  }
}
