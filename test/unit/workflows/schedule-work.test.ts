import { Threads, WorkKilled } from '#threads';
import { ScheduleWork } from '../../../src/features/workflows/schedule-work.service.js';

const outcomes: string[] = [];
const settings = { threads: 1, megabytes: 128, mostWaiting: 1, mostWaitingOfOwner: 1, waitMs: 30_000 };
const threads = new Threads(settings, (...ended) => void outcomes.push(ended.join(' ')));
afterAll(() => threads.close());

const daily = { kind: 'schedule' as const, recurrence: 'FREQ=DAILY', timeOfDay: '09:00', timezone: 'UTC' };
const given = [daily, '2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-03-03T00:00:00Z'] as const;

it('follows a schedule in a thread', async () => {
  const times = await new ScheduleWork(threads).timesBetween('org', ...given);
  expect(times).toEqual(['2026-03-01T09:00:00.000Z', '2026-03-02T09:00:00.000Z']);
  expect(outcomes).toEqual(['schedule_times performed']);
});

it('rejects a schedule that takes too long as an error of the input', async () => {
  const killing = { run: () => Promise.reject(new WorkKilled('any', 'time')) } as unknown as Threads;
  await expect(new ScheduleWork(killing).timesBetween('org', ...given)).rejects.toMatchObject({
    status: 400,
    details: { issues: [{ path: ['days'], message: expect.stringContaining('too long') as string }] },
  });
});
