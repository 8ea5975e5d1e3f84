import { SystemDatabase } from '#system-database';
import type { Service } from './start-app.js';

/**
 * Resolves when the feed shows everything that is committed. Transactions of any database of the server delay it,
 * including those of other test files.
 */
export async function feedSettled({ app }: Service): Promise<void> {
  const system = app.get(SystemDatabase);
  const hidden = 'select 1 from events where transaction_id >= pg_snapshot_xmin(pg_current_snapshot()) limit 1';
  await until(
    () => system.rows(hidden),
    ({ length }) => length === 0,
  );
}

/** Polls until the condition is met, at growing intervals, because with a fixed clock request limits never reset. */
export async function until<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  for (let restMs = 20; ; restMs = Math.min(restMs * 1.2, 200)) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }
}
