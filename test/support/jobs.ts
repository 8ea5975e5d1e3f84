import { type ClaimedWork, claiming, type DueJob, type Work } from '#jobs';
import { until } from './feed.js';

const workOf = (given: Work<DueJob> | ClaimedWork): Work<DueJob> =>
  'claims' in given ? (claiming(given) as Work<DueJob>) : given;
const dueNow = (work: Work<DueJob>): Promise<DueJob[]> => work.due(new Date().toISOString());

/**
 * Performs due work now, without the queue, which a timer fills, and waits for what the service is performing already:
 * rows that it has without a claim stay due until then.
 */
export async function performDue(given: Work<DueJob> | ClaimedWork): Promise<void> {
  const performed = new Set((await performOnce(given)).map((job) => JSON.stringify(job)));
  if ('claims' in given)
    await until(
      async () => given.claims['held']['held'].size,
      (held) => held === 0,
    );
  else
    await until(
      () => dueNow(given),
      (due) => !due.some((job) => performed.has(JSON.stringify(job))),
    );
}

/** The same without waiting, for work that may stay due, or that another process never ends. */
export async function performOnce(given: Work<DueJob> | ClaimedWork): Promise<DueJob[]> {
  const work = workOf(given);
  const jobs = await dueNow(work);
  const { signal } = new AbortController();
  await Promise.all(jobs.map((job) => work.perform(job, signal)));
  return jobs;
}
