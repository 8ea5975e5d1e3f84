/** Queries the database as its owner. */
type Query = (sql: string, values?: unknown[]) => Promise<unknown>;

/**
 * Creates the queue's tables and functions in the schema `bullmq`, or updates them to the installed BullMQ, in its own
 * transaction.
 *
 * @param role the role that uses the queue.
 */
export async function migrateQueue(query: Query, role: string): Promise<void> {
  const { runMigrations } = await import('bullmq');
  await runMigrations({
    query: async <R>(sql: string, values?: readonly unknown[]) => ({
      rows: (await query(sql, values && [...values])) as R[],
    }),
  });
  // CREATE, because the functions create a sequence for each queue at its first job.
  await query(`
    grant usage, create on schema bullmq to ${role};
    grant select, insert, update, delete on all tables in schema bullmq to ${role};
    grant usage on all sequences in schema bullmq to ${role};
  `);
}
