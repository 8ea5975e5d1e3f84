/** Asks the database as its owner. */
type Query = (sql: string, values?: unknown[]) => Promise<unknown>;

/**
 * Makes the queue's tables and functions, in the schema `bullmq`, or brings them up to the installed BullMQ; it runs in
 * a transaction of its own.
 *
 * @param role what the queue is used as.
 */
export async function migrateQueue(query: Query, role: string): Promise<void> {
  const { runMigrations } = await import('bullmq');
  await runMigrations({
    query: async <R>(sql: string, values?: readonly unknown[]) => ({
      rows: (await query(sql, values && [...values])) as R[],
    }),
  });
  // CREATE, because the functions make a sequence for each queue at its first job.
  await query(`
    grant usage, create on schema bullmq to ${role};
    grant select, insert, update, delete on all tables in schema bullmq to ${role};
    grant usage on all sequences in schema bullmq to ${role};
  `);
}
