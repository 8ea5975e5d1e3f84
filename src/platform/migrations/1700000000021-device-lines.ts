import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Which process listens to the devices of a connection. */
export class DeviceLines1700000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table device_lines (
        org_id uuid not null references organizations (id),
        connection_id uuid not null,
        holder uuid,
        lease_until timestamptz not null,
        primary key (org_id, connection_id),
        foreign key (org_id, connection_id) references connections (org_id, id)
      );
      create index device_lines_by_holder on device_lines (holder) where holder is not null;
      create index connections_of_devices on connections (provider) where kind = 'device' and status <> 'disconnected';
      ${isolated('device_lines')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index connections_of_devices; drop table device_lines;');
  }
}
