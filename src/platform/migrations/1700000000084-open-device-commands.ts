import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The few commands of a device that are under way, apart from the many that have ended. */
export class OpenDeviceCommands1700000000084 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create index device_commands_open on device_commands (org_id, device_id, id) where due_at is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index device_commands_open');
  }
}
