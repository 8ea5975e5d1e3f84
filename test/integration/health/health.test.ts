import { jest } from '@jest/globals';
import { SystemDatabase } from '#system-database';
import { Readiness } from '../../../src/platform/health/readiness.js';
import type { Api } from '../../support/api.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let visitor: Api;
beforeAll(async () => {
  service = await startApp();
  visitor = service.api.as(undefined);
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => service.close());

const database = () => jest.spyOn(service.app.get(SystemDatabase), 'rows');

/** Sweeps also query the database, on their own schedule. */
const probesOf = (rows: ReturnType<typeof database>) => rows.mock.calls.filter(([text]) => text === 'select 1');

const unready = {
  status: 503,
  body: { error: { type: 'service_unavailable', code: 'SERVICE_UNAVAILABLE' } },
};

describe('GET /healthz', () => {
  it('succeeds without a credential and does not use the database', async () => {
    const rows = database();
    const { status, body } = await visitor.get('/healthz', { 'x-request-id': 'probe-1' });
    expect(status).toBe(200);
    expect(body).toEqual({ data: { status: 'ok' }, meta: { requestId: 'probe-1' } });
    expect(probesOf(rows)).toEqual([]);
  });
});

describe('GET /readyz', () => {
  it('succeeds without a credential if the database responds', async () => {
    const rows = database();
    expect((await visitor.get('/readyz')).status).toBe(200);
    expect(probesOf(rows)).toHaveLength(1);
  });

  it('is 503 with Retry-After when the database fails', async () => {
    database().mockRejectedValue(new Error('gone'));
    const reply = await visitor.get('/readyz');
    expect(reply).toMatchObject(unready);
    expect(reply.headers.get('retry-after')).toBe('1');
  });

  it('is 503 if the database does not respond within a second', async () => {
    const system = service.app.get(SystemDatabase);
    const rows = system.rows.bind(system);
    // Only the probe, because a sweep without a response would delay the end of the process.
    database().mockImplementation((text, ...rest) =>
      text === 'select 1' ? new Promise(() => undefined) : rows(text, ...rest),
    );
    const startedAt = performance.now();
    expect(await visitor.get('/readyz')).toMatchObject(unready);
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });

  it('is 503 once the process drains, which continues to serve and closes its connections', async () => {
    service.app.get(Readiness).drain();
    expect(await visitor.get('/readyz')).toMatchObject(unready);
    const health = await visitor.get('/healthz');
    expect([health.status, health.headers.get('connection')]).toEqual([200, 'close']);
    const served = await service.api.get('/me');
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
  });
});
