import { jest } from '@jest/globals';
import pg from 'pg';
import type { Caller } from '#access';
import { newId, TenantDatabase } from '#persistence';
import type { Task } from '../../../src/features/tasks/task.entity.js';
import { taskCreated, taskUpdated } from '../../../src/features/tasks/tasks.events.js';
import { TasksRepository } from '../../../src/features/tasks/tasks.repository.js';
import { EventsService } from '../../../src/platform/events/events.service.js';
import type { Originator } from '../../../src/platform/events/originator.js';
import type { Api, Json } from '../../support/api.js';
import { keyWith, taskOf } from '../../support/factories.js';
import { feedSettled } from '../../support/feed.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let api: Api;
let orgId: string;
let byService: Originator;
beforeAll(async () => {
  service = await startApp();
  api = (await keyWith(service.api)).api;
  orgId = (await api.get('/organization')).body.data.id;
  byService = { orgId };
});
afterAll(() => service.close());
afterEach(() => jest.restoreAllMocks());

/** How often `work` writes to a table. */
async function insertionsInto(table: string, work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  await work();
  const sent = query.mock.calls.flatMap(([batch]) => (batch as { statements?: { text: string }[] }).statements ?? []);
  query.mockRestore();
  return sent.filter(({ text }) => text.includes(`insert into ${table}`)).length;
}

async function eventsSince(cursor: string): Promise<Json[]> {
  await feedSettled(service);
  return (await api.get(`/events?limit=100&cursor=${cursor}`)).body.data;
}

async function now(): Promise<string> {
  await feedSettled(service);
  const { body } = await api.get('/events?limit=100');
  return body.meta.pagination.nextCursor;
}

describe('what a transaction records', () => {
  it.each(['events', 'audit_entries', 'undo_steps'])('is written together: %s of a booking', async (table) => {
    const automaticTasks = [
      {
        name: 'Clean',
        type: 'cleaning',
        timeRule: { start: { event: 'departure', offsetMinutes: 0 }, end: { event: 'departure', offsetMinutes: 60 } },
      },
    ];
    const house = { name: 'Lake House', timezone: 'Europe/Lisbon', automaticTasks };
    const propertyId = (await api.post('/properties', house)).body.data.id;
    const cursor = await now();
    const stay = { propertyId, checkInDate: '2031-05-01', checkOutDate: '2031-05-02', primaryGuest: { name: 'Ana' } };
    expect(await insertionsInto(table, () => api.post('/reservations', stay))).toBe(1);
    expect((await eventsSince(cursor)).map(({ type }) => type)).toEqual([
      'guest.created',
      'reservation.created',
      'task.created',
    ]);
  });

  it('is numbered for each record, also where one changes twice', async () => {
    const task = await found(await taskOf(api));
    const cursor = await now();
    await recording(async (events) => {
      events.record(byService, taskUpdated, { ...task, name: 'Second' }, task);
      events.record(byService, taskUpdated, { ...task, name: 'Third' }, { ...task, name: 'Second' });
    });
    const numbered = (await eventsSince(cursor)).map(({ sequence, data }) => [sequence, data.name]);
    expect(numbered).toEqual([
      [2, 'Second'],
      [3, 'Third'],
    ]);
  });

  it('names whoever caused each part of it', async () => {
    const tasks = [await found(await taskOf(api)), await found(await taskOf(api))] as const;
    const credential = { kind: 'api-key', id: newId('key') };
    const member = { orgId, memberId: newId('member'), userId: null, credential } as unknown as Caller;
    const cursor = await now();
    await recording(async (events) => {
      events.record(byService, taskUpdated, { ...tasks[0], name: 'By the service' }, tasks[0]);
      events.record(member, taskUpdated, { ...tasks[1], name: 'By a member' }, tasks[1]);
    });
    const told = await eventsSince(cursor);
    expect(told.map(({ actor }) => actor)).toEqual([
      { type: 'service' },
      { type: 'member', id: member.memberId, credential },
    ]);
  });

  it('keeps its order where new records and others alternate', async () => {
    const task = await found(await taskOf(api));
    const others = [1, 2].map((n) => ({ ...task, id: task.id.replace(/.$/, `${n}`), name: `New ${n}` }));
    const cursor = await now();
    await recording(async (events) => {
      for (const other of others) {
        events.record(byService, taskCreated, other);
        events.record(byService, taskUpdated, { ...task, name: `After ${other.name}` }, task);
      }
    });
    expect((await eventsSince(cursor)).map(({ sequence, data }) => [sequence, data.name])).toEqual([
      [1, 'New 1'],
      [2, 'After New 1'],
      [1, 'New 2'],
      [3, 'After New 2'],
    ]);
  });
});

const found = async (taskId: string): Promise<Task> =>
  (await service.app.get(TasksRepository, { strict: false }).findAny(orgId, taskId)) as Task;

const recording = (work: (events: EventsService) => Promise<void>): Promise<void> =>
  service.app.get(TenantDatabase).transaction(orgId, () => work(service.app.get(EventsService)));
