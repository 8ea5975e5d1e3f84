import type { Api } from '../../support/api.js';
import { dumpOf } from '../../support/dump.js';
import { issuePaths } from '../../support/envelope.js';
import { keyWith, propertyOf } from '../../support/factories.js';
import { feedSettled } from '../../support/feed.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startApp();
  api = (await keyWith(service.api)).api;
});
afterAll(() => service.close());

const url = 'https://93.184.215.14/hook';
const eventTypes = ['task.created'];

describe('createWebhookEndpoint', () => {
  it('shows the secret only once and keeps it encrypted', async () => {
    const { status, body } = await api.post('/webhook-endpoints', { url, eventTypes, description: 'Board' });
    expect(status).toBe(201);
    const { secret, ...endpoint } = body.data;
    expect(endpoint).toMatchObject({ url, eventTypes, description: 'Board', propertyIds: null, status: 'enabled' });
    const listed = await api.get('/webhook-endpoints');
    expect(listed.body.data).toEqual([endpoint]);
    expect(await dumpOf(service.database.url)).not.toContain(secret.replace('whsec_', ''));
    await feedSettled(service);
    const { text } = await api.get('/events?limit=100');
    expect(text).toContain('webhook_endpoint.created');
    expect(text).not.toContain(secret);
  });

  it.each([
    'http://93.184.215.14/hook',
    'https://127.0.0.1/hook',
    'https://[::ffff:10.0.0.1]/hook',
    'https://0x7f000001/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://user:secret@93.184.215.14/',
    'http://name.invalid/hook',
    'ftp://93.184.215.14/',
    'not an address',
  ])('rejects %s', async (refused) => {
    const reply = await api.post('/webhook-endpoints', { url: refused, eventTypes });
    expect(reply.status).toBe(400);
    expect(issuePaths(reply)).toEqual(['url']);
    const { id } = (await api.post('/webhook-endpoints', { url, eventTypes })).body.data;
    expect(issuePaths(await api.patch(`/webhook-endpoints/${id}`, { url: refused }))).toEqual(['url']);
  });

  it('accepts a name that does not resolve yet', async () => {
    const { status } = await api.post('/webhook-endpoints', { url: 'https://name.invalid/hook', eventTypes });
    expect(status).toBe(201);
  });

  it('rejects unknown types of events', async () => {
    const reply = await api.post('/webhook-endpoints', { url, eventTypes: ['task.created', 'task.eaten'] });
    expect(issuePaths(reply)).toEqual(['eventTypes.1']);
  });

  it('limits a restricted credential to its properties', async () => {
    const [mine, other] = [await propertyOf(api), await propertyOf(api)];
    const restricted = (await keyWith(api, { propertyIds: [mine] })).api;
    expect((await restricted.post('/webhook-endpoints', { url, eventTypes, propertyIds: [other] })).status).toBe(404);
    const { body } = await restricted.post('/webhook-endpoints', { url, eventTypes: ['*'] });
    expect(body.data.propertyIds).toEqual([mine]);
    const [elsewhere, everywhere] = await Promise.all(
      [[other], null].map(
        async (propertyIds) => (await api.post('/webhook-endpoints', { url, eventTypes, propertyIds })).body.data,
      ),
    );
    expect((await restricted.get('/webhook-endpoints')).body.data.map(({ id }: { id: string }) => id)).toEqual([
      body.data.id,
    ]);
    for (const { id } of [elsewhere, everywhere] as { id: string }[]) {
      expect((await restricted.patch(`/webhook-endpoints/${id}`, { url })).status).toBe(404);
      expect((await restricted.post(`/webhook-endpoints/${id}/rotate-secret`)).status).toBe(404);
      expect(
        (await restricted.post('/webhook-deliveries/replay', { endpointId: id, from: '2026-01-01T00:00:00Z' })).status,
      ).toBe(404);
      expect((await restricted.delete(`/webhook-endpoints/${id}`)).status).toBe(404);
    }
    expect(
      (await restricted.patch(`/webhook-endpoints/${body.data.id}`, { propertyIds: null })).body.data.propertyIds,
    ).toEqual([mine]);
  });
});

describe('deleteWebhookEndpoint', () => {
  it('deletes the endpoint and its deliveries', async () => {
    const { id } = (await api.post('/webhook-endpoints', { url, eventTypes })).body.data;
    expect((await api.delete(`/webhook-endpoints/${id}`)).body.data).toEqual({ id, deleted: true });
    expect((await api.delete(`/webhook-endpoints/${id}`)).status).toBe(404);
    expect((await api.get(`/webhook-deliveries?endpointId=${id}`)).body.data).toEqual([]);
  });
});
