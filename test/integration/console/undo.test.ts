import { hidden, type PageReply } from '../../../faults/page-client.js';
import type { Json } from '../../support/api.js';
import { RequestLog } from '../../../src/platform/requests/request-log.service.js';
import { clock } from '../../support/clock.js';
import { type OwnersConsole, ownersConsole } from '../../support/console.js';
import { keyWith } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { day, hotelOf } from '../../support/hotel.js';
import { startReceiver } from '../../support/receiver.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

let service: Service;
let pages: OwnersConsole;
beforeAll(async () => {
  service = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' });
});
beforeEach(async () => {
  pages = await ownersConsole(service);
});
afterEach(() => clock.restore());
afterAll(() => service.close());

const undo = (path: string, to: Record<string, string>) => pages.send(path, 'undoChanges', to);
const entriesOf = async (query: string): Promise<readonly Json[]> =>
  (await service.api.get(`/audit-entries?${query}`)).body.data as readonly Json[];
/** What the page offers to undo. */
const offers = ({ html }: PageReply) =>
  html
    .split('<form')
    .filter((form) => form.includes('value="undoChanges"'))
    .map((form) => /name="(requestId|auditEntryIds)" value="([^"]+)"/.exec(form)?.slice(1));

/** Guests who have left two nights early, with the task of their cleaning, and the log id of the request. */
async function checkedOut(): Promise<{ id: string; logId: string; entry: Json }> {
  const leaving = { event: 'departure', offsetMinutes: 0 };
  const cleaning = { name: 'Clean', type: 'cleaning', timeRule: { start: leaving, end: leaving } };
  const hotel = await hotelOf(service.api, { Double: ['101'] }, { automaticTasks: [cleaning] });
  const { id } = await hotel.stay(-2, 3, '101');
  for (const verb of ['check-in', 'check-out']) await hotel.act({ id }, verb);
  const [entry] = await entriesOf(`action=checkOutReservation&targetId=${id as string}`);
  await service.app.get(RequestLog).write();
  return { id: id as string, logId: entry?.logId as string, entry: entry as Json };
}

describe('an undo', () => {
  it.each([
    ['the audit trail', () => 'audit'],
    ['the page of the request', (logId: string) => `requests/${logId}`],
  ])('is of a whole request on %s, whoever made it, and says what it undid', async (_, pathOf) => {
    const { id, logId } = await checkedOut();
    const path = pathOf(logId);
    const page = await pages.open(path);
    expect(offers(page)).toContainEqual(['requestId', logId]);
    const changes = await entriesOf(`action=checkOutReservation&requestId=${await requestOf(logId)}`);
    expect(changes.map(({ target }) => target.type as string).toSorted()).toEqual(['reservation', 'task', 'unit']);
    const done = await undo(path, { requestId: logId });
    expect([done.status, done.text]).toEqual([200, expect.stringMatching(/Undone: [^.]*reservation/)]);
    const stay = (await service.api.get(`/reservations/${id}`)).body.data as Json;
    expect(stay).toMatchObject({ stayStatus: 'checked_in', occupiedUntil: day(3) });
    expect(offers(await pages.open(path))).not.toContainEqual(['requestId', logId]);
    const again = await undo(path, { requestId: logId });
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('Nothing was undone.')]);
    expect((await pages.open(path)).html).toContain('<div>undone</div>');
  });

  it('marks what is undone although the list does not have the undo, and offers it again once that is undone too', async () => {
    const { id } = (await service.api.post('/tasks', { name: 'Sweep' })).body.data as Json;
    await service.api.post(`/tasks/${id as string}/start`);
    const [{ logId }] = (await entriesOf(`action=startTask&targetId=${id as string}`)) as [Json];
    const path = `audit?action=startTask&targetId=${id as string}`;
    const shown = async () => {
      const page = await pages.open(path);
      return [offers(page), page.html.includes('<div>undone</div>')];
    };
    expect(await shown()).toEqual([[['requestId', logId]], false]);
    await undo(path, { requestId: logId as string });
    expect(await shown()).toEqual([[], true]);
    const [{ logId: undoing }] = (await entriesOf(`action=undoChanges&targetId=${id as string}`)) as [Json];
    await undo(path, { requestId: undoing as string });
    expect(await shown()).toEqual([[['requestId', logId]], false]);
  });

  it('says what went out, not that undoing it has failed', async () => {
    const receiver = await startReceiver();
    const endpoint = { url: receiver.url, eventTypes: ['task.started'] };
    const { id } = (await service.api.post('/webhook-endpoints', endpoint)).body.data as Json;
    const { id: taskId } = (await service.api.post('/tasks', { name: 'Sweep' })).body.data as Json;
    await service.api.post(`/tasks/${taskId as string}/start`);
    await until(
      async () => (await service.api.get(`/webhook-deliveries?endpointId=${id as string}`)).body.data as Json[],
      (deliveries) => deliveries.some(({ status }) => status === 'succeeded'),
    );
    const [{ logId }] = (await entriesOf(`action=startTask&targetId=${taskId as string}`)) as [Json];
    const { text } = await undo(`audit?targetId=${taskId as string}`, { requestId: logId as string });
    expect(text).toContain(
      'Undone: task. The webhook endpoint has received 1 event about the changes, which cannot be taken back.',
    );
    expect(text).not.toContain('Not undone');
    await receiver.close();
  });

  it('of one change leaves the others, and gives the reasons why it is impossible', async () => {
    const { id } = (await service.api.post('/tasks', { name: 'Sweep', priority: 'low' })).body.data as Json;
    const change = async (priority: string): Promise<Json> => {
      await service.api.patch(`/tasks/${id as string}`, { priority });
      return (await entriesOf(`targetId=${id as string}&limit=1`))[0] as Json;
    };
    const [first, second] = [await change('normal'), await change('high')];
    const path = `audit?targetId=${id as string}`;
    const refused = await undo(path, { auditEntryIds: first.id as string });
    const { name } = ((await service.api.get('/me')).body.data as Json).member as Json;
    expect(refused.text).toMatch(
      new RegExp(
        `Nothing was undone\\. The field priority was changed since, by ${name as string} on \\d+ [A-Z][a-z]+, \\d\\d:\\d\\d\\.`,
      ),
    );
    const page = await pages.open(path);
    const send = () =>
      pages.browser.post(pages.at(path), {
        ...hidden(page),
        operation: 'undoChanges',
        auditEntryIds: second.id as string,
      });
    for (const done of [await send(), await send()]) expect(done.text).toContain('Undone: task.');
    expect((await service.api.get(`/tasks/${id as string}`)).body.data.priority).toBe('normal');
    expect(await entriesOf(`targetId=${id as string}&action=undoChanges`)).toHaveLength(1);
  });

  it('is not offered for what no request changed', async () => {
    const [role] = await entriesOf('targetType=role&limit=1');
    expect(role?.action).toBe('first start');
    expect(offers(await pages.open('audit?targetType=role'))).toEqual([]);
  });

  it('is not offered for what can never be undone, nor for the request that did it', async () => {
    const { id } = await keyWith(service.api);
    await service.api.post(`/api-keys/${id}/revoke`);
    await service.app.get(RequestLog).write();
    const [{ logId }] = (await entriesOf(`action=revokeApiKey&targetId=${id}`)) as [Json];
    for (const path of [`audit?action=revokeApiKey&targetId=${id}`, `requests/${logId as string}`])
      expect(offers(await pages.open(path))).toEqual([]);
    expect(offers(await pages.open(`audit?action=createApiKey&targetId=${id}`))).toHaveLength(1);
  });

  it('asks who somebody is after ten minutes, and then whether to do it', async () => {
    const { id } = (await service.api.post('/tasks', { name: 'Sweep' })).body.data as Json;
    const [{ logId }] = (await entriesOf(`targetId=${id as string}`)) as [Json];
    clock.advance(11 * 60_000);
    const asked = await undo(`audit?targetId=${id as string}`, { requestId: logId as string });
    expect(asked.url.pathname).toBe('/account/confirm-password');
    const back = await pages.browser.submit(asked, '/account/confirm-password', { password: owner.password });
    expect(back.text).toContain('nothing was changed yet. Form Undo changes');
    const action = pages.at(`audit?targetId=${id as string}`);
    expect((await pages.browser.submit(back, action)).text).toContain('Undone: task.');
  });
});

const requestOf = async (logId: string): Promise<string> =>
  (await service.api.get(`/requests/${logId}`)).body.data.requestId as string;
