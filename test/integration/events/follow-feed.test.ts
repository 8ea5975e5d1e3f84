import { setTimeout as wait } from 'node:timers/promises';
import { TenantDatabase } from '#persistence';
import { EventsService } from '../../../src/platform/events/events.service.js';
import { TasksRepository } from '../../../src/features/tasks/tasks.repository.js';
import type { Task } from '../../../src/features/tasks/task.entity.js';
import { taskUpdated } from '../../../src/features/tasks/tasks.events.js';
import type { Api, Json } from '../../support/api.js';
import { feedSettled } from '../../support/feed.js';
import { keyWith, taskOf } from '../../support/factories.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
/** A separate process, so that the writers do not use its connections. */
let reader: Service;
let api: Api;
let orgId: string;
beforeAll(async () => {
  service = await startApp();
  reader = await startApp({}, { database: service.database, keyring: service.keyring });
  api = (await keyWith(service.api)).api;
  orgId = (await api.get('/organization')).body.data.id;
});
afterAll(async () => {
  await reader.close();
  await service.close();
});

const writers = 64;
const roundsEach = 6;

/**
 * Writes events of its tasks in transactions that stay open for a while, some of them on tasks that others also change.
 */
async function write(taskIds: string[], written: Set<string>): Promise<void> {
  const [database, events, tasks] = [
    service.app.get(TenantDatabase),
    service.app.get(EventsService),
    service.app.get(TasksRepository, { strict: false }),
  ];
  for (let round = 0; round < roundsEach; round += 1) {
    const taskId = taskIds[Math.floor(Math.random() * taskIds.length)] as string;
    const [before, after] = [Math.random() * 10, Math.random() * 40];
    await wait(before);
    const id = await database.transaction(orgId, async () => {
      // Takes its number before it waits for the task, so that the order of commits differs from the order of numbers.
      await database.rows(orgId, 'select pg_current_xact_id()', []);
      await wait(before);
      const task = (await tasks.findAny(orgId, taskId)) as Task;
      const event = events.record({ orgId }, taskUpdated, task, { ...task, name: 'Before' }) as string;
      await wait(after);
      return event;
    });
    written.add(id);
  }
}

/** With a pool of 16 connections, others wait 0.8 s for one: they retry. */
async function insist(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if ((error as { status?: number }).status !== 503) throw error;
    }
  }
}

describe('following the feed while others write', () => {
  it('skips nothing, returns nothing twice, and keeps the order of each subject', async () => {
    const taskIds = await Promise.all(Array.from({ length: 20 }, () => taskOf(api)));
    await feedSettled(service);
    const start = (await api.get('/events?limit=100')).body.meta.pagination.nextCursor as string;
    const [written, read] = [new Set<string>(), [] as Json[]];
    let isWriting = true;
    const reading = (async () => {
      let [cursor, isLast] = [start, false];
      for (;;) {
        const { body } = await reader.api.as(api.key).get(`/events?limit=17&cursor=${cursor}`);
        read.push(...body.data);
        cursor = body.meta.pagination.nextCursor;
        if (isLast && body.data.length === 0) return;
        isLast = !isWriting;
      }
    })();
    await Promise.all(Array.from({ length: writers }, () => insist(() => write(taskIds, written))));
    await feedSettled(service);
    isWriting = false;
    await reading;
    expect(written.size).toBeGreaterThanOrEqual(writers * roundsEach);
    const ids = read.map(({ id }) => id as string);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...written].filter((id) => !ids.includes(id))).toEqual([]);
    for (const taskId of taskIds) {
      const sequences = read.filter(({ subject }) => subject.id === taskId).map(({ sequence }) => sequence as number);
      expect(sequences).toEqual(sequences.map((_, index) => index + 2));
    }
  }, 120_000);

  it('counts each subject without gaps although transactions fail', async () => {
    const taskId = await taskOf(api);
    const changes = Array.from({ length: 40 }, (_, index) =>
      index % 4 === 0
        ? api.post(`/tasks/${taskId}/reopen`)
        : api.patch(`/tasks/${taskId}`, { durationMinutes: index + 1 }),
    );
    const succeeded = (await Promise.all(changes)).filter(({ status }) => status === 200).length;
    await feedSettled(service);
    const { body } = await api.get(`/events?limit=100&subject=${taskId}`);
    expect(body.data.map(({ sequence }: Json) => sequence)).toEqual(
      Array.from({ length: succeeded + 1 }, (_, index) => index + 1),
    );
  });
});
