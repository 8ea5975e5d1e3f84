import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes of what is due, and by which column. */
const indexes = {
  tasks_next_occurrence: ['tasks', 'next_occurrence_at'],
  connections_due: ['connections', 'next_sync_at'],
  device_commands_due: ['device_commands', 'due_at'],
  access_codes_due: ['access_codes', 'due_at'],
  workflows_scheduled: ['workflows', 'next_occurrence_at'],
  workflow_runs_due: ['workflow_runs', 'due_at'],
  model_jobs_due: ['model_jobs', 'due_at'],
} as const;

/** What is due is looked for organization by organization, so that one with many rows hides no other's. */
export class DueInTurns1700000000106 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await replace(runner, (column) => `org_id, ${column}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replace(runner, (column) => column);
  }
}

async function replace(runner: QueryRunner, columnsOf: (column: string) => string): Promise<void> {
  for (const [index, [table, column]] of Object.entries(indexes)) {
    await runner.query(`
      drop index ${index};
      create index ${index} on ${table} (${columnsOf(column)}) where ${column} is not null;
    `);
  }
}
