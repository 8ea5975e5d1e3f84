import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** The calendars of properties as they are sent, so that reading one again makes nothing. */
export class CalendarFiles1700000000105 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table calendar_files (
        org_id uuid not null,
        property_id uuid not null,
        -- What the file was made of: it is made again when that is something else.
        stamp text not null,
        etag text not null,
        gzip bytea not null,
        primary key (org_id, property_id),
        foreign key (org_id, property_id) references properties (org_id, id) on delete cascade
      );
      ${isolated('calendar_files')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table calendar_files');
  }
}
