import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** When an organization was closed and erased, and its exports. */
export class Closing1700000000195 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table organizations add column closed_at timestamptz, add column erased_at timestamptz;
      create index organizations_to_erase on organizations (closed_at) where closed_at is not null and erased_at is null;

      create table organization_exports (
        org_id uuid not null references organizations (id),
        id uuid not null,
        status text not null check (status in ('waiting', 'done', 'failed')),
        attempts integer not null,
        records integer,
        bytes bigint,
        created_at timestamptz not null,
        due_at timestamptz,
        finished_at timestamptz,
        primary key (org_id, id)
      );
      create index organization_exports_due on organization_exports (due_at) where due_at is not null;
      ${isolated('organization_exports')}

      create table organization_export_parts (
        org_id uuid not null,
        export_id uuid not null,
        number integer not null,
        gzip bytea not null,
        primary key (org_id, export_id, number),
        foreign key (org_id, export_id) references organization_exports (org_id, id) on delete cascade
      );
      ${isolated('organization_export_parts')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table organization_export_parts, organization_exports;
      alter table organizations drop column closed_at, drop column erased_at;
    `);
  }
}
