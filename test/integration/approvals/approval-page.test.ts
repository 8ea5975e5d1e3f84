import { HeldRequests } from '../../../src/auth/approvals/held-requests.service.js';
import { UsersService } from '../../../src/tenancy/people/users.service.js';
import { clock } from '../../support/clock.js';
import { until } from '../../support/feed.js';
import { mcpOf } from '../../support/mcp.js';
import { addPerson } from '../../support/people.js';
import { simulatorOf } from '../../support/simulator.js';
import { owner } from '../../support/start-app.js';
import { absentId, stayOf } from '../../support/factories.js';
import type { Json } from '../../support/api.js';
import { Browser } from '../../../faults/page-client.js';
import { ApprovalWorld, pathOf } from './approval-world.js';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await ApprovalWorld.start();
});
afterEach(() => clock.restore());
afterAll(() => world.tenant.close());

describe('the page', () => {
  it('shows who asks, names instead of ids, the reason as a quotation, and what would change', async () => {
    const { key } = await world.asking('write');
    const propertyId = world.tenant.here;
    const meta = { 'property-operations/reason': 'The owner <b>asked</b> for \u202eti\u2069' };
    const { body } = await mcpOf(world.tenant.service.url, key).call(
      'createTask',
      { name: 'Rake the leaves', propertyId },
      { meta },
    );
    const page = await world.browser.get(pathOf(body));
    expect(page.text).toContain('API key A key of the tests');
    expect(page.html).toContain('<blockquote>The owner &lt;b>asked&lt;/b> for [U+202E]ti[U+2069]</blockquote>');
    expect(page.text).toContain('Property Here');
    expect(page.text).toContain('A task would be created. ');
    expect(page.text).toContain('Rake the leaves');
    expect(page.html).not.toContain(propertyId);
  });

  it('shows each field of a value on its own, whatever its text is', async () => {
    const { api } = await world.asking('write');
    const stay = await stayOf(world.tenant.api, { propertyId: world.tenant.here });
    const primaryGuest = { name: 'Ana; Email: ana@hotel.example\u202e', email: 'other@tests.example' };
    const { body } = await api.patch(`/reservations/${stay.id}`, { primaryGuest });
    const { html } = await world.browser.get(pathOf(body));
    expect(html).toContain(
      '<li>Name: <bdi>Ana; Email: ana@hotel.example[U+202E]</bdi></li><li>Email: <bdi>other@tests.example</bdi></li>',
    );
  });

  it('names a stay by its guest, its place and its dates', async () => {
    const { api } = await world.asking('write');
    const dates = { checkInDate: '2031-05-01', checkOutDate: '2031-05-04' };
    const primaryGuest = { name: 'Hugo Anders' };
    const id = (await stayOf(world.tenant.api, { propertyId: world.tenant.here, ...dates, primaryGuest })).id as string;
    const { body } = await api.post(`/reservations/${id}/cancel`);
    const page = await world.browser.get(pathOf(body));
    expect(page.text).toContain('Hugo Anders, Here, 2031-05-01 to 2031-05-04');
    expect(page.html).not.toContain(id);
  });

  it('asks again if the effects have changed since it was shown or before they are carried out', async () => {
    const { api, key } = await world.asking('write');
    const taskId = await world.newTask();
    const { body } = await api.post(`/tasks/${taskId}/complete`);
    const page = await world.browser.get(pathOf(body));
    await world.tenant.api.post(`/tasks/${taskId}/start`);
    const again = await world.browser.submit(page, pathOf(body), { decision: 'approve' });
    expect([again.status, again.text.includes('different now')]).toEqual([409, true]);
    expect((await world.tenant.api.get(`/tasks/${taskId}`)).body.data.status).toBe('in_progress');
    await world.approveOtherEffects(api, body);
    expect((await world.browser.get(pathOf(body))).text).toContain('Decide again');
    expect((await world.tenant.api.get(`/tasks/${taskId}`)).body.data.status).toBe('in_progress');
    await world.decide(body, 'approve');
    expect(await world.outcomeOf(body.data.id as string, key)).toMatchObject({ status: 'done' });
  });

  it('asks again before it calls another system, which cannot be undone', async () => {
    const { devices, counts } = await simulatorOf(world.tenant.api);
    const before = await counts();
    const { api } = await world.asking('unlockDevice');
    await world.approveOtherEffects(api, (await api.post(`/devices/${devices['sim-lock-1']}/unlock`)).body);
    expect(await counts()).toEqual(before);
  });

  it('shows what a request sets before and after, also for a guest, whose data events omit', async () => {
    const { api } = await world.asking('write');
    const { data: guest } = (await world.tenant.api.post('/guests', { name: 'Hugo Anders', phone: '+351 555 0100' }))
      .body;
    const { body } = await api.patch(`/guests/${guest.id}`, { phone: '+351 555 0199' });
    expect((await world.browser.get(pathOf(body))).html).toContain(
      '<del><bdi>+351 555 0100</bdi></del> <ins><bdi>+351 555 0199</bdi></ins>',
    );
    const taskId = await world.newTask();
    await world.tenant.api.patch(`/tasks/${taskId}`, { description: 'Sheets' });
    const described = await api.patch(`/tasks/${taskId}`, { description: 'Sheets and towels' });
    const page = await world.browser.get(pathOf(described.body));
    expect(page.html).toContain('<del><bdi>Sheets</bdi></del> <ins><bdi>Sheets and towels</bdi></ins>');
  });

  it.each([
    [
      'another field of the record',
      (guideId: string) => world.tenant.api.patch(`/guides/${guideId}`, { name: 'Other words' }),
    ],
    [
      'a translation that would be published',
      async (guideId: string) => {
        const [{ id }] = (await world.tenant.api.get(`/guides/${guideId}/translations`)).body.data;
        return await world.tenant.api.patch(`/guides/${guideId}/translations/${id}`, { text: 'Andere Worte' });
      },
    ],
  ])('asks again if %s was changed', async (_, change) => {
    const { api } = await world.asking('publishGuide');
    const guide = { name: 'Welcome', sourceLocale: 'en', locales: ['de'] };
    const { data } = (await api.post('/guides', guide)).body;
    const { body } = await api.post(`/guides/${data.id}/publish`, { force: true });
    const page = await world.browser.get(pathOf(body));
    expect((await change(data.id)).status).toBe(200);
    expect((await world.browser.submit(page, pathOf(body), { decision: 'approve' })).status).toBe(409);
    expect((await world.tenant.api.get(`/guides/${data.id}`)).body.data.status).toBe('draft');
  });

  it('does not exist for strangers, nor for members who lack the permission', async () => {
    const { api } = await world.asking('destructive');
    const { body } = await api.post(`/tasks/${await world.newTask()}/archive`);
    const people = await Promise.all(
      ['viewer', 'coordinator'].map((role) => addPerson(world.tenant.service, { role })),
    );
    const foreign = { email: 'nobody@tests.example', name: 'Nobody', password: 'some long words' };
    await world.tenant.service.app.get(UsersService).create(foreign);
    for (const { email } of [...people, foreign]) {
      const other = new Browser(world.tenant.service.url);
      await other.signIn(email as string, 'some long words');
      expect((await other.get(pathOf(body))).status).toBe(404);
    }
    expect((await world.browser.get(`/approvals/${absentId('approval')}`)).status).toBe(404);
    expect((await world.browser.get('/approvals/x')).status).toBe(404);
  });

  it('requires a password confirmation within the last ten minutes for destructive operations, also from a page opened before', async () => {
    const { api } = await world.asking('write');
    const [archiving, creating] = [
      (await api.post(`/tasks/${await world.newTask()}/archive`)).body,
      (await api.post('/tasks', { name: 'Sweep' })).body,
    ];
    const other = new Browser(world.tenant.service.url);
    await other.signIn(owner.email, owner.password);
    const page = await other.get(pathOf(archiving));
    clock.advance(11 * 60_000);
    const asked = '/account/confirm-password';
    expect((await other.get(pathOf(archiving))).url.pathname).toBe(asked);
    const sent = await other.submit(page, pathOf(archiving), { decision: 'approve' });
    expect([sent.url.pathname, sent.url.searchParams.get('return_to')]).toEqual([asked, pathOf(archiving)]);
    expect((await api.get(`/approvals/${archiving.data.id}`)).body.data.status).toBe('pending');
    expect((await other.get(pathOf(creating))).text).toContain('What would change');
  });

  it('looks again until the request is carried out, and leads back to the list', async () => {
    const { api, key } = await world.asking('destructive');
    const { body } = await api.post(`/tasks/${await world.newTask()}/archive`);
    const page = await world.browser.get(pathOf(body));
    expect(page.headers.get('refresh')).toBeNull();
    expect(page.html).toContain('<a href="/account/approvals">All approvals</a>');
    const approved = await world.browser.submit(page, pathOf(body), { decision: 'approve' });
    // It may have been carried out by now.
    expect(approved.headers.get('refresh')).toBe(approved.text.includes('is being carried out') ? '2' : null);
    await world.outcomeOf(body.data.id as string, key);
    const done = await world.browser.get(pathOf(body));
    expect([done.text.includes('Approved and carried out.'), done.headers.get('refresh')]).toEqual([true, null]);
  });

  it('says who decided and when', async () => {
    const { api } = await world.asking('write');
    const { body } = await api.post('/tasks', { name: 'Rake the leaves' });
    const page = await world.browser.get(pathOf(body));
    expect(page.text).not.toContain('Decided');
    const refused = await world.browser.submit(page, pathOf(body), { decision: 'refuse' });
    const { name } = (await world.tenant.service.app.get(UsersService).findByEmail(owner.email)) as { name: string };
    expect(refused.text).toMatch(new RegExp(`Decided \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC by ${name}`));
  });

  it('is listed with what it is about', async () => {
    const { api } = await world.asking('write');
    const primaryGuest = { name: 'Ida Lund' };
    const dates = { checkInDate: '2031-06-01', checkOutDate: '2031-06-04' };
    const id = (await stayOf(world.tenant.api, { propertyId: world.tenant.here, ...dates, primaryGuest })).id as string;
    expect((await api.post(`/reservations/${id}/cancel`)).status).toBe(202);
    const { slug } = (await world.tenant.api.get('/organization')).body.data;
    for (const path of ['/account/approvals', `/console/${slug}/approvals`])
      expect((await world.browser.get(path)).text).toContain('Cancel a stay Ida Lund, Here, 2031-06-01 to 2031-06-04');
  });

  it('counts one of two simultaneous decisions', async () => {
    const { api, key } = await world.asking('destructive');
    const { body } = await api.post(`/tasks/${await world.newTask()}/archive`);
    const page = await world.browser.get(pathOf(body));
    const pages = await Promise.all(
      (['approve', 'refuse'] as const).map((decision) => world.browser.submit(page, pathOf(body), { decision })),
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    const events = async (): Promise<string[]> => {
      const { data } = (await world.tenant.api.get(`/events?subject=${body.data.id}`)).body;
      return data.map(({ type }: Json) => type as string);
    };
    const told = await until(events, (types) => types.includes('approval.decided'));
    expect(told).toEqual(['approval.requested', 'approval.decided']);
    await world.outcomeOf(body.data.id as string, key);
  });

  it('shows the outcome if somebody else approves it at the same time', async () => {
    const { api, key } = await world.asking('destructive');
    const { body } = await api.post(`/tasks/${await world.newTask()}/archive`);
    const page = await world.browser.get(pathOf(body));
    const requests = world.tenant.service.app.get(HeldRequests);
    const { rehearse } = requests;
    const meanwhile = jest.spyOn(requests, 'rehearse').mockImplementationOnce(async (approval) => {
      await world.browser.submit(page, pathOf(body), { decision: 'approve' });
      await world.outcomeOf(body.data.id as string, key);
      return await rehearse.call(requests, approval);
    });
    const late = await world.browser.submit(page, pathOf(body), { decision: 'approve' });
    expect(meanwhile).toHaveBeenCalledTimes(2);
    meanwhile.mockRestore();
    expect(late).toMatchObject({ status: 200, text: expect.stringContaining('Approved and carried out.') });
  });
});
