import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The minute before the newest one of a peak, because a process counts its end when another is in the next one already. */
export class MinuteBefore1700000000272 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table request_peaks add column requests_before integer not null default 0;');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table request_peaks drop column requests_before;');
  }
}
