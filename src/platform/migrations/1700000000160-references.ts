import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

const tables = ['properties', 'unit_types', 'units', 'guests', 'devices'];

/** What other systems call our records, with what they said when they saved them. Imports are the first to refer. */
export class References1700000000160 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table external_refs (
        org_id uuid not null,
        resource text not null,
        connection_id uuid not null,
        external_id text not null check (char_length(external_id) between 1 and 200),
        record_id uuid not null,
        source_version text,
        content_hash text,
        said jsonb not null default '{}',
        primary key (org_id, resource, connection_id, external_id),
        foreign key (org_id, connection_id) references connections (org_id, id)
      );
      create index external_refs_by_record on external_refs (org_id, resource, record_id);
      ${isolated('external_refs')}

      alter table connections add column source_versions text check (source_versions in ('number', 'time'));

      ${tables.map((table) => `alter table ${table} add column external_refs jsonb not null default '[]';`).join('\n')}

      insert into external_refs (org_id, resource, connection_id, external_id, record_id)
        select org_id, 'reservation', connection_id, external_id, id from reservations
         where connection_id is not null and char_length(external_id) between 1 and 200;
      update reservations r set external_refs = external_refs || jsonb_build_array(jsonb_build_object(
          'connectionId', 'connection_' || replace(r.connection_id::text, '-', ''), 'externalId', r.external_id))
        where connection_id is not null and char_length(external_id) between 1 and 200
          and jsonb_array_length(external_refs) < 20;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${tables.map((table) => `alter table ${table} drop column external_refs;`).join('\n')}
      alter table connections drop column source_versions;
      drop table external_refs;
    `);
  }
}
