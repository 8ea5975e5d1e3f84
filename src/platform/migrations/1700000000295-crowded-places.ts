import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** The places of which stays are still to be flagged or cleared, because they have more or fewer units than before. */
export class CrowdedPlaces1700000000295 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table crowded_places (
        org_id uuid not null,
        id uuid not null,
        property_id uuid not null,
        place jsonb not null,
        due_at timestamptz not null,
        -- By whom, as the audit trail names it; null for the service.
        act jsonb,
        -- The segment up to which stays are done, in the order of their last nights.
        after jsonb,
        primary key (org_id, id),
        foreign key (org_id, property_id) references properties (org_id, id) on delete cascade
      );
      create index crowded_places_due on crowded_places (org_id, due_at);
      create index crowded_places_by_property on crowded_places (org_id, property_id);
      ${isolated('crowded_places')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table crowded_places');
  }
}
