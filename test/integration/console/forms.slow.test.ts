import { Browser, hidden, type PageReply } from '../../../faults/page-client.js';
import type { Json } from '../../support/api.js';
import { calendar, type CalendarServer, startCalendarServer, stay } from '../../support/calendar-server.js';
import { aSecondForEachTest, clock } from '../../support/clock.js';
import { keyWith, nightsFromToday, propertyOf, pushedBy, stayOf, unitOf } from '../../support/factories.js';
import { addPerson } from '../../support/people.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

let service: Service;
let calendars: CalendarServer;
let slug: string;
beforeAll(async () => {
  calendars = await startCalendarServer();
  service = await startApp({ OUTBOUND_ALLOW: 'localhost' });
  slug = (await service.api.get('/organization')).body.data.slug as string;
});
aSecondForEachTest();
afterAll(async () => {
  await service.close();
  await calendars.close();
});

const at = (path = '') => `/console/${slug}${path && `/${path}`}`;
const keyIn = ({ html }: PageReply) => /<code id="key"[^>]*>(\w+)</.exec(html)?.[1];
const keysNamed = async (name: string) =>
  ((await service.api.get('/api-keys?limit=100')).body.data as { name: string }[]).filter((key) => key.name === name);

async function ownersPage(path: string) {
  const browser = new Browser(service.url);
  return { browser, page: await browser.signIn(owner.email, owner.password, at(path)) };
}

describe('a form of the console', () => {
  it('creates one key however often it is sent, and shows it again for exactly one minute', async () => {
    const { browser, page } = await ownersPage('keys/new');
    const fields = { name: 'Board', preset: 'read', operation: 'createApiKey', ...hidden(page) };
    const sent = () => browser.post(at('keys/new'), fields);
    const made = await sent();
    expect(keyIn(made)).toMatch(/^sk_live_/);
    expect((await service.api.as(keyIn(made) as string).get('/organization')).status).toBe(200);
    expect(keyIn(await sent())).toBe(keyIn(made));
    clock.advance(61_000);
    const late = await sent();
    expect([late.status, keyIn(late)]).toEqual([200, undefined]);
    expect(late.html).not.toContain(keyIn(made));
    expect(await keysNamed('Board')).toHaveLength(1);
  });

  it('says what is wrong after a conflict, and nothing about keys', async () => {
    const { id } = await stayOf(service.api, { propertyId: await propertyOf(service.api), ...nightsFromToday() });
    const path = `reservations/${id as string}`;
    const { browser, page } = await ownersPage(path);
    await service.api.post(`/reservations/${id as string}/check-in`);
    const form = { ...hidden(page), operation: 'checkInReservation', reservationId: id as string };
    const { html } = await browser.post(at(path), form);
    expect(html).toContain('The stay is in another state by now. This page shows the current one.');
    expect(html).not.toMatch(/Reload|with a new key/);
  });

  it("does the same on the account's keys page", async () => {
    const browser = new Browser(service.url);
    const page = await browser.signIn(owner.email, owner.password, '/account/api-keys');
    const [, form = ''] = page.html.split('action="/account/api-keys/create"');
    const org = /name="org" value="([^"]+)"/.exec(form)?.[1] as string;
    const typed = { org, name: 'Twice', 'scope:tasks:read': 'on', days: '30', rate_per_minute: '1000' };
    const fields = { ...hidden({ html: form } as PageReply), ...typed };
    const key = keyIn(await browser.post('/account/api-keys/create', fields));
    expect(key).toMatch(/^sk_live_/);
    clock.advance(50_000);
    expect(keyIn(await browser.post('/account/api-keys/create', fields))).toBe(key);
    clock.advance(20_000);
    expect((await browser.post('/account/api-keys/create', fields)).html).not.toContain(key);
    expect(await keysNamed('Twice')).toHaveLength(1);
  });

  it('does something new if the person has gone back and typed something else', async () => {
    const { browser, page } = await ownersPage('keys/new');
    const fields = { preset: 'read', operation: 'createApiKey', ...hidden(page) };
    const [first, second] = [
      await browser.post(at('keys/new'), { ...fields, name: 'One' }),
      await browser.post(at('keys/new'), { ...fields, name: 'Other' }),
    ];
    expect(keyIn(second)).not.toBe(keyIn(first));
    expect(await keysNamed('Other')).toHaveLength(1);
  });

  it('shows errors at its fields, and keeps the input', async () => {
    const { browser, page } = await ownersPage('keys/new');
    const fields = { name: ' ', preset: 'custom', ratePerMinute: '5', operation: 'createApiKey', ...hidden(page) };
    const { status, html } = await browser.post(at('keys/new'), fields);
    expect(status).toBe(400);
    expect(html).toMatch(/<input[^>]*name="ratePerMinute"[^>]*aria-invalid="true"[^>]*value="5"/);
    expect(html).toContain('Pass a whole number from 1000 to 60000.');
  });

  it('names what describes a field if there is something', async () => {
    const { html } = (await ownersPage('settings')).page;
    const names = [...html.matchAll(/ aria-describedby="([^"]+)"/g)].map(([, id]) => id);
    expect(names).not.toEqual([]);
    for (const id of names) expect(html).toContain(` id="${id}"`);
  });

  it('requires a password confirmation within the last ten minutes for sensitive actions', async () => {
    const { browser, page } = await ownersPage('keys/new');
    clock.advance(11 * 60_000);
    const fields = { name: 'Late', preset: 'read', operation: 'createApiKey', ...hidden(page) };
    const asked = await browser.post(at('keys/new'), fields);
    expect(asked.url.pathname).toBe('/account/confirm-password');
    const back = await browser.submit(asked, '/account/confirm-password', { password: owner.password });
    expect(back.html).toContain('value="Late"');
    expect(await keysNamed('Late')).toEqual([]);
  });

  it('belongs to this session, and names an operation of its page', async () => {
    const { browser, page } = await ownersPage('webhooks');
    const fields = { url: 'https://example.com', eventTypes: '*', operation: 'createWebhookEndpoint' };
    expect((await browser.post(at('webhooks'), fields)).status).toBe(403);
    const foreign = { ...hidden(page), operation: 'inviteMember', email: 'eve@tests.example' };
    expect((await browser.post(at('webhooks'), foreign)).status).toBe(404);
  });
});

const get = async (path: string): Promise<Json> => (await service.api.get(path)).body.data as Json;
const made = async (path: string, body: object): Promise<string> =>
  (await service.api.post(path, body)).body.data.id as string;

interface Taking {
  /** Where its form is, and which record it changes. */
  from(): Promise<{ path: string; to: Record<string, string> }>;
  isGone(to: Record<string, string>): Promise<boolean>;
  isSensitive?: true;
}

const property = async (): Promise<Record<string, string>> => ({ propertyId: await propertyOf(service.api) });
const isListed = async (path: string, id: string | undefined): Promise<boolean> =>
  ((await get(`${path}?limit=100`)) as unknown as Json[]).some((one) => one.id === id);

/** Every destructive form, by its operation. */
const takings: Record<string, Taking> = {
  revokeApiKey: {
    from: async () => ({ path: 'keys', to: { keyId: (await keyWith(service.api)).id } }),
    isGone: async ({ keyId }) =>
      ((await get('/api-keys?limit=100')) as unknown as Json[]).some(
        ({ id, status }) => id === keyId && status === 'revoked',
      ),
    isSensitive: true,
  },
  suspendMember: {
    from: async () => ({ path: 'members', to: { memberId: (await addPerson(service, { role: 'viewer' })).id } }),
    isGone: async ({ memberId }) => (await get(`/members/${memberId}`)).status === 'suspended',
    isSensitive: true,
  },
  removeMember: {
    from: async () => ({ path: 'members', to: { memberId: (await addPerson(service, { role: 'viewer' })).id } }),
    isGone: async ({ memberId }) => (await get(`/members/${memberId}`)).status === 'removed',
    isSensitive: true,
  },
  deleteRole: {
    from: async () => ({
      path: 'roles',
      to: { roleId: await made('/roles', { name: 'Porter', permissions: ['tasks:read'] }) },
    }),
    isGone: async ({ roleId }) => !(await isListed('/roles', roleId)),
    isSensitive: true,
  },
  deleteWebhookEndpoint: {
    from: async () => {
      const endpointId = await made('/webhook-endpoints', { url: 'https://example.com/hook', eventTypes: ['*'] });
      return { path: `webhooks/${endpointId}`, to: { endpointId } };
    },
    isGone: async ({ endpointId }) => !(await isListed('/webhook-endpoints', endpointId)),
    isSensitive: true,
  },
  disconnectConnection: {
    from: async () => {
      const connectionId = await made('/connections', { provider: 'simulator', kind: 'device', name: 'Locks' });
      return { path: `connections/${connectionId}`, to: { connectionId } };
    },
    isGone: async ({ connectionId }) => (await get(`/connections/${connectionId}`)).status === 'disconnected',
    isSensitive: true,
  },
  archiveProperty: {
    from: async () => {
      const to = await property();
      return { path: `properties/${to.propertyId}`, to };
    },
    isGone: async ({ propertyId }) => (await get(`/properties/${propertyId}`)).archivedAt !== null,
  },
  archiveUnit: {
    from: async () => {
      const { propertyId = '' } = await property();
      return { path: `properties/${propertyId}`, to: { propertyId, unitId: await unitOf(service.api, propertyId) } };
    },
    isGone: async ({ propertyId, unitId }) => !(await isListed(`/properties/${propertyId}/units`, unitId)),
  },
  archiveUnitType: {
    from: async () => {
      const { propertyId = '' } = await property();
      const unitTypeId = await made(`/properties/${propertyId}/unit-types`, { name: 'Double' });
      return { path: `properties/${propertyId}`, to: { propertyId, unitTypeId } };
    },
    isGone: async ({ propertyId, unitTypeId }) => !(await isListed(`/properties/${propertyId}/unit-types`, unitTypeId)),
  },
  removeSuppression: {
    from: async () => ({
      path: 'messages/suppressions',
      to: { suppressionId: await made('/suppressions', { email: 'gone@tests.example', covers: 'all' }) },
    }),
    isGone: async ({ suppressionId }) => !(await isListed('/suppressions', suppressionId)),
  },
  cancelReservation: {
    from: async () => {
      const { propertyId = '' } = await property();
      const { id } = await stayOf(service.api, { propertyId, ...nightsFromToday() });
      return { path: `reservations/${id as string}`, to: { reservationId: id as string } };
    },
    isGone: async ({ reservationId }) => (await get(`/reservations/${reservationId}`)).status === 'cancelled',
  },
};

/** The form of an operation on a page, and the elements around it. */
function formFor({ html }: PageReply, operation: string, to: Record<string, string>) {
  const parts = html.split(/(?=<details)/);
  const found = parts.find((part) =>
    [operation, ...Object.values(to)].every((value) => part.includes(`value="${value}"`)),
  );
  return {
    isAsked: found?.includes('class="asked danger"') ?? false,
    fields: { ...hidden({ html: found ?? '' }), operation, ...to },
  };
}

describe('a destructive form', () => {
  it.each(Object.entries(takings))(
    'asks for confirmation, looks dangerous and acts once: %s',
    async (operation, taking) => {
      const { path, to } = await taking.from();
      const { browser, page } = await ownersPage(path);
      const { isAsked, fields } = formFor(page, operation, to);
      expect(isAsked).toBe(true);
      const send = () => browser.post(at(path), fields);
      if (taking.isSensitive) clock.advance(11 * 60_000);
      const asked = taking.isSensitive && (await send()).url.pathname;
      clock.restore();
      expect(asked).toBe(taking.isSensitive && '/account/confirm-password');
      expect(await taking.isGone(to)).toBe(false);
      const [first, again] = [await send(), await send()];
      expect([first.status, first.html.includes('role="status"')]).toEqual([200, true]);
      expect([again.status, again.url.searchParams.get('done')]).toEqual([200, operation]);
      expect(await taking.isGone(to)).toBe(true);
      const target = Object.values(to).at(-1) as string;
      const entries = await get(`/audit-entries?action=${operation}&targetId=${target}`);
      expect(entries).toHaveLength(1);
    },
  );
});

it('an archived room is found on the page of its property, and restored there', async () => {
  const { propertyId = '' } = await property();
  const unitId = await unitOf(service.api, propertyId);
  await service.api.post(`/properties/${propertyId}/units/${unitId}/archive`);
  const { browser, page } = await ownersPage(`properties/${propertyId}`);
  const [, archived = ''] = /href="([^"]+)">Archived rooms/.exec(page.html) ?? [];
  const fields = { operation: 'restoreUnit', propertyId, unitId };
  const restored = await browser.post(archived, { ...hidden(await browser.get(archived)), ...fields });
  expect(restored.text).toContain('The room was restored.');
  expect(await isListed(`/properties/${propertyId}/units`, unitId)).toBe(true);
});

describe('the key policy', () => {
  it('is changed on the page of keys, and applies to the next key', async () => {
    const { browser, page } = await ownersPage('keys');
    const fields = { ...hidden(page), operation: 'updateOrganization', maxKeyDays: '30' };
    expect((await browser.post(at('keys'), fields)).text).toContain('New keys work for 30 days at most.');
    expect((await browser.get(at('keys/new'))).text).toContain('Empty: after 30 days, the maximum here.');
    await browser.post(at('keys'), {
      ...hidden(await browser.get(at('keys'))),
      operation: 'updateOrganization',
      maxKeyDays: '',
    });
    expect((await get('/organization')).maxKeyDays).toBeNull();
  });
});

const dayIn = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

describe('a connection', () => {
  it('is created, changed and disconnected by forms, which keep the input after an error', async () => {
    // A new minute: the forms above have used most of the person's requests in theirs.
    clock.advance(61_000);
    const propertyId = await propertyOf(service.api);
    const { browser, page } = await ownersPage('connections');
    const typed = { operation: 'createConnection', provider: 'ical', name: 'Channel', place: propertyId };
    const wrong = await browser.post(at('connections'), { ...hidden(page), ...typed, url: 'ftp://nowhere' });
    expect(wrong.status).toBe(400);
    expect(wrong.html).toMatch(/<details class="folded" open[^>]*><summary>Connect a calendar/);
    expect(wrong.html).toMatch(/name="name"[^>]* value="Channel"/);
    calendars.answer = { status: 200, body: calendar(stay('a', dayIn(3), dayIn(5))) };
    const created = await browser.post(at('connections'), { ...hidden(wrong), ...typed, url: calendars.url });
    expect([created.status, created.text.includes('The connection was created.')]).toEqual([200, true]);
    const { name } = await get(`/properties/${propertyId}`);
    expect((await browser.get(at('connections'))).html).toContain(`<div>${name}</div>`);
    const path = created.url.pathname;
    const connectionId = path.split('/').at(-1) as string;
    const synced = await browser.post(path, { ...hidden(created), operation: 'syncConnection', connectionId });
    expect(synced.text).toMatch(/1 new|0 new, 0 changed/);
    const changed = {
      operation: 'updateConnection',
      connectionId,
      name: 'Other',
      url: calendars.url,
      place: propertyId,
    };
    expect((await browser.post(path, { ...hidden(synced), ...changed })).text).toContain('The connection was changed.');
    const disconnected = { ...hidden(synced), operation: 'disconnectConnection', connectionId };
    expect((await browser.post(path, disconnected)).text).toContain('The connection was disconnected.');
    expect(await get(`/connections/${connectionId}`)).toMatchObject({ name: 'Other', status: 'disconnected' });
  });

  it('of a system that writes to us offers no sync, which would fetch nothing', async () => {
    const id = await pushedBy(service.api);
    const { browser, page } = await ownersPage(`connections/${id}`);
    for (const { html } of [page, await browser.get(at('connections?provider=push'))])
      expect(html).not.toMatch(/Sync now|value="testConnection"/);
    expect(page.html).toContain('value="disconnectConnection"');
  });
});
