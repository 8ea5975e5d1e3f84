/** The sessions that wait for a lock in this database, because other test files have theirs on the same server. */
export const waitingForLocks = `select 1 from pg_locks
  where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`;
