import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** The busiest minute of each credential in an hour and in a day, and the minute that is being counted. */
export class RequestPeaks1700000000268 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table request_peaks (
        org_id uuid not null references organizations (id),
        per text not null check (per in ('hour', 'day')),
        at timestamptz not null,
        credential_id text not null,
        -- The newest minute, and its requests as far as they are counted.
        minute timestamptz not null,
        requests integer not null,
        peak integer not null,
        primary key (org_id, per, at, credential_id)
      );
      create index request_peaks_age on request_peaks (per, at);
      ${isolated('request_peaks')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table request_peaks;');
  }
}
