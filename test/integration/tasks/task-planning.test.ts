import { clock } from '../../support/clock.js';
import type { Api } from '../../support/api.js';
import { memberOf } from '../../support/behind-the-api.js';
import { keyWith } from '../../support/factories.js';
import { performDue } from '../../support/jobs.js';
import { type Service, startApp } from '../../support/start-app.js';
import { RecurrencesService } from '../../../src/features/tasks/recurrence/recurrences.service.js';

let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startApp();
  ({ api } = await keyWith(service.api));
});
afterEach(() => clock.restore());
afterAll(() => service.close());

const turnover = {
  name: 'Turnover',
  type: 'cleaning',
  timeRule: { start: { event: 'departure', offsetMinutes: 0 }, end: { event: 'next_arrival', offsetMinutes: -60 } },
  checklist: [{ title: 'Linen', required: true }],
};
const welcome = {
  name: 'Welcome',
  type: 'check_in',
  timeRule: { start: { event: 'arrival', offsetMinutes: -30 }, end: { event: 'arrival', offsetMinutes: 30 } },
};

const newProperty = async (fields: object = { automaticTasks: [turnover, welcome] }): Promise<string> => {
  const { body } = await api.post('/properties', { name: 'Loft', timezone: 'Europe/Lisbon', ...fields });
  return body.data.id;
};
const book = async (propertyId: string, checkInDate: string, checkOutDate: string) =>
  (await api.post('/reservations', { propertyId, checkInDate, checkOutDate })).body.data;
const tasksOf = async (reservationId: string) => {
  const { data } = (await api.get(`/tasks?reservationId=${reservationId}`)).body;
  return Object.fromEntries(data.map((task: { name: string }) => [task.name, task]));
};

describe('automatic tasks', () => {
  it('are created when a stay is confirmed, and not before', async () => {
    const propertyId = await newProperty();
    const { body } = await api.post('/reservations', {
      propertyId,
      checkInDate: '2027-03-01',
      checkOutDate: '2027-03-04',
      status: 'inquiry',
    });
    expect(await tasksOf(body.data.id)).toEqual({});
    await api.patch(`/reservations/${body.data.id}`, { status: 'confirmed' });
    const { Turnover, Welcome } = await tasksOf(body.data.id);
    expect(Turnover).toMatchObject({
      source: 'automatic',
      status: 'pending',
      propertyId,
      canStartAt: '2027-03-04T11:00:00.000Z',
      dueAt: null,
    });
    expect(Turnover.checklist).toMatchObject([{ title: 'Linen', required: true, done: false }]);
    expect(Welcome).toMatchObject({ canStartAt: '2027-03-01T14:30:00.000Z', dueAt: '2027-03-01T15:30:00.000Z' });
  });

  it('lose the assignees who cannot see the property that their stay moves to', async () => {
    const [from, to] = [await newProperty(), await newProperty()];
    const [everywhere, kept] = [await memberOf(service), await memberOf(service, { propertyIds: [from] })];
    const stay = await book(from, '2027-03-10', '2027-03-12');
    const { id } = (await tasksOf(stay.id)).Welcome;
    await api.post(`/tasks/${id}/assign`, { assigneeIds: [kept, everywhere] });
    await api.post(`/reservations/${stay.id}/move`, {
      propertyId: to,
      checkInDate: '2027-03-10',
      checkOutDate: '2027-03-12',
    });
    const { body } = await api.get(`/tasks/${id}`);
    expect(body.data).toMatchObject({ propertyId: to, assigneeIds: [everywhere] });
    expect((await api.patch(`/tasks/${id}`, { timeRule: welcome.timeRule })).status).toBe(200);
  });

  it('can be changed although an assignee has left', async () => {
    const member = await memberOf(service);
    const stay = await book(await newProperty(), '2027-03-10', '2027-03-12');
    const { id } = (await tasksOf(stay.id)).Welcome;
    await api.post(`/tasks/${id}/assign`, { assigneeIds: [member] });
    await api.post(`/members/${member}/suspend`);
    const { status, body } = await api.patch(`/tasks/${id}`, { timeRule: null, dueAt: '2027-03-10T20:00:00Z' });
    expect([status, body.data?.assigneeIds]).toEqual([200, [member]]);
  });

  it('depend on the next arrival, and follow it when it moves or is cancelled', async () => {
    const propertyId = await newProperty();
    const first = await book(propertyId, '2027-04-01', '2027-04-03');
    const second = await book(propertyId, '2027-04-05', '2027-04-07');
    expect((await tasksOf(first.id)).Turnover.dueAt).toBe('2027-04-05T13:00:00.000Z');
    await api.post(`/reservations/${second.id}/move`, { checkInDate: '2027-04-06', checkOutDate: '2027-04-08' });
    expect((await tasksOf(first.id)).Turnover.dueAt).toBe('2027-04-06T13:00:00.000Z');
    await api.post(`/reservations/${second.id}/cancel`);
    expect((await tasksOf(first.id)).Turnover.dueAt).toBeNull();
  });

  it('move with their stay, and nothing else does', async () => {
    const propertyId = await newProperty();
    const stay = await book(propertyId, '2027-05-01', '2027-05-03');
    const other = await book(await newProperty(), '2027-05-01', '2027-05-03');
    const untouched = await tasksOf(other.id);
    const { body } = await api.post('/tasks', { name: 'Fixed', reservationId: stay.id, dueAt: '2027-05-01T10:00:00Z' });
    await api.post(`/reservations/${stay.id}/move`, { checkInDate: '2027-05-11', checkOutDate: '2027-05-13' });
    expect((await tasksOf(stay.id)).Welcome.dueAt).toBe('2027-05-11T14:30:00.000Z');
    expect((await api.get(`/tasks/${body.data.id}`)).body.data).toMatchObject({
      dueAt: '2027-05-01T10:00:00.000Z',
      version: 1,
    });
    expect(await tasksOf(other.id)).toEqual(untouched);
  });

  it('are cancelled with their stay, except those that were started', async () => {
    const propertyId = await newProperty();
    const stay = await book(propertyId, '2027-06-01', '2027-06-03');
    const { Turnover, Welcome } = await tasksOf(stay.id);
    await api.post(`/tasks/${Welcome.id}/start`);
    await api.post(`/reservations/${stay.id}/cancel`);
    expect((await api.get(`/tasks/${Turnover.id}`)).body.data.status).toBe('cancelled');
    expect((await api.get(`/tasks/${Welcome.id}`)).body.data.status).toBe('in_progress');
  });
});

describe('recurring tasks', () => {
  it('are created again at the same local time, across daylight saving, once however many processes run', async () => {
    const propertyId = await newProperty({});
    clock.set('2027-03-20T09:00:00Z');
    const { body } = await api.post('/tasks', {
      name: 'Water the plants',
      propertyId,
      canStartAt: '2027-03-22T09:00:00Z',
      dueAt: '2027-03-22T11:00:00Z',
      recurrence: 'FREQ=WEEKLY',
    });
    expect(body.data.recurrence).toBe('FREQ=WEEKLY');
    clock.set('2027-03-22T09:00:01Z');
    const recurrences = service.app.get(RecurrencesService);
    await Promise.all([performDue(recurrences), performDue(recurrences), performDue(recurrences)]);
    const { data } = (await api.get(`/tasks?propertyId=${propertyId}&sort=dueAt`)).body;
    expect(data.map(({ canStartAt, dueAt }: { canStartAt: string; dueAt: string }) => [canStartAt, dueAt])).toEqual([
      ['2027-03-22T09:00:00.000Z', '2027-03-22T11:00:00.000Z'],
      // Lisbon's clocks go forward on 28 March: still nine in the morning there.
      ['2027-03-29T08:00:00.000Z', '2027-03-29T10:00:00.000Z'],
    ]);
  });

  it.each(['FREQ=HOURLY', 'every day', 'FREQ=DAILY;INTERVAL=0'])('reject the rule %s', async (recurrence) => {
    const { status, body } = await api.post('/tasks', { name: 'x', dueAt: '2027-03-22T11:00:00Z', recurrence });
    expect([status, body.error.details.key]).toEqual([400, 'TASK_RECURRENCE_UNREADABLE']);
  });
});

describe('changeTasksInBulk', () => {
  it('returns a result for each task, in the requested order', async () => {
    const ids: string[] = [];
    for (const name of ['one', 'two']) ids.push((await api.post('/tasks', { name })).body.data.id);
    await api.post(`/tasks/${ids[1]}/cancel`);
    const unknown = `task_${'0'.repeat(32)}`;
    const { status, body } = await api.post('/tasks/bulk', {
      taskIds: [ids[1], unknown, ids[0], 'nonsense'],
      action: 'complete',
    });
    expect(status).toBe(200);
    expect(body.data.map(({ taskId }: { taskId: string }) => taskId)).toEqual([ids[1], unknown, ids[0], 'nonsense']);
    expect(
      body.data.map(({ error, task }: Record<string, Record<string, string>>) => error?.code ?? task?.status),
    ).toEqual(['TASK_NOT_OPEN', 'NOT_FOUND', 'completed', 'NOT_FOUND']);
  });
});

describe('attachments', () => {
  const png = Buffer.from('89504e470d0a1a0a0000', 'hex');

  it('are available under links that expire', async () => {
    const { id } = (await api.post('/tasks', { name: 'Leak' })).body.data;
    const { status, body } = await api.post(`/tasks/${id}/attachments`, {
      fileName: 'leak.png',
      contentType: 'image/png',
      content: png.toString('base64'),
    });
    expect(status).toBe(201);
    const { url, sizeBytes } = body.data.attachments[0];
    expect(sizeBytes).toBe(png.length);
    const fetched = await fetch(url);
    expect(Buffer.from(await fetched.arrayBuffer())).toEqual(png);
    expect(fetched.headers.get('content-disposition')).toContain('attachment');
    expect(fetched.headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox",
    );
    expect((await fetch(url.replace('leak.png', 'evil.html'))).status).toBe(404);
    clock.advance(11 * 60_000);
    expect((await fetch(url)).status).toBe(404);
  });

  it.each([
    ['invoice.exe', 'invoice.exe.txt'],
    ['NOTE.TXT', 'NOTE.TXT'],
  ])('are saved under a name of their type: %s', async (fileName, expected) => {
    const { id } = (await api.post('/tasks', { name: 'Leak' })).body.data;
    const file = { fileName, contentType: 'text/plain', content: btoa('words') };
    const { url } = (await api.post(`/tasks/${id}/attachments`, file)).body.data.attachments[0];
    expect((await fetch(url)).headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${expected}`);
  });

  it('must be of their type', async () => {
    const { id } = (await api.post('/tasks', { name: 'Leak' })).body.data;
    const { body } = await api.post(`/tasks/${id}/attachments`, {
      fileName: 'leak.png',
      contentType: 'application/pdf',
      content: png.toString('base64'),
    });
    expect(body.error.details.key).toBe('ATTACHMENT_NOT_OF_ITS_TYPE');
  });

  it.each([['aGVsbG8'], ['aGVs bG8='], ['aGVsbG8_'], [''], ['%%%'], ['data:text/plain;base64,aGVsbG8=']])(
    'must be base64, as the error for "%s" says',
    async (content) => {
      const { id } = (await api.post('/tasks', { name: 'Leak' })).body.data;
      const file = { fileName: 'note.txt', contentType: 'text/plain', content };
      const { issues } = (await api.post(`/tasks/${id}/attachments`, file)).body.error.details;
      const message = 'Pass base64 (RFC 4648) of 1 to 5242880 bytes, with padding and without line breaks.';
      expect(issues).toEqual([{ path: ['content'], message }]);
    },
  );

  it('must be UTF-8 if they are text, as the error says', async () => {
    const { id } = (await api.post('/tasks', { name: 'Leak' })).body.data;
    const content = Buffer.from('Küche', 'latin1').toString('base64');
    const file = { fileName: 'note.txt', contentType: 'text/plain', content };
    const { body } = await api.post(`/tasks/${id}/attachments`, file);
    expect(body.error.message).toContain('text must be UTF-8');
  });
});

describe('comments, counts and the moves of a task', () => {
  it('work together', async () => {
    const propertyId = await newProperty({});
    const { id } = (await api.post('/tasks', { name: 'Inspect', propertyId })).body.data;
    expect((await api.post(`/tasks/${id}/comments`, { text: 'Door sticks' })).status).toBe(201);
    expect((await api.get(`/tasks/${id}/comments`)).body.data).toMatchObject([{ text: 'Door sticks' }]);
    const move = async (verb: string) => (await api.post(`/tasks/${id}/${verb}`)).body;
    expect((await move('reopen')).error.code).toBe('TASK_NOT_COMPLETED');
    expect((await move('start')).data.status).toBe('in_progress');
    expect((await move('start')).error.code).toBe('TASK_NOT_PENDING');
    expect((await move('complete')).data.status).toBe('completed');
    expect((await move('reopen')).data).toMatchObject({ status: 'in_progress', completedAt: null });
    expect((await api.get(`/tasks/counts?propertyId=${propertyId}`)).body.data).toEqual({
      pending: 0,
      in_progress: 1,
      completed: 0,
      cancelled: 0,
    });
    expect((await move('archive')).data.archivedAt).not.toBeNull();
    expect((await move('complete')).error.code).toBe('TASK_ARCHIVED');
    expect((await api.get(`/tasks?propertyId=${propertyId}`)).body.data).toEqual([]);
    expect((await move('restore')).data.archivedAt).toBeNull();
  });
});
