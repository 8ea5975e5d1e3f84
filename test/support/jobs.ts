import { type ClaimedWork, claiming, type DueJob, type Work } from '#jobs';

/** Performs due work now, without the queue, which a timer fills. */
export async function performDue<P extends DueJob>(given: Work<P> | ClaimedWork): Promise<void> {
  const work = 'claims' in given ? (claiming(given) as Work<DueJob>) : given;
  const { signal } = new AbortController();
  const jobs = await work.due(new Date().toISOString());
  await Promise.all(jobs.map((job) => work.perform(job as P, signal)));
}
