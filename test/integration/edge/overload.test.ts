import type { Reply } from '../../support/api.js';
import { expectEnvelope, refusals } from '../../support/envelope.js';
import { until } from '../../support/feed.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp({ OVERLOAD_DELAY_MS: '150' });
});
afterAll(() => service.close());

function block(milliseconds: number): void {
  const endsAt = performance.now() + milliseconds;
  while (performance.now() < endsAt);
}

const isShed = ({ status }: Reply): boolean => status === 503;

it('a process whose event loop is late refuses all but probes, until it is not', async () => {
  const visitor = service.api.as(undefined);
  const busy = setInterval(() => block(200), 0);
  try {
    const shed = await until(() => service.api.get('/me', { 'x-request-id': 'too-much' }), isShed);
    expectEnvelope(shed, refusals.unavailable);
    expect([shed.headers.get('retry-after'), shed.body.meta.requestId]).toEqual(['1', 'too-much']);
    const [mcp, live, ready] = await Promise.all([
      service.api.post('/mcp', {}),
      visitor.get('/healthz'),
      visitor.get('/readyz'),
    ]);
    expect([mcp.status, live.status, ready.status]).toEqual([503, 200, 200]);
  } finally {
    clearInterval(busy);
  }
  expect(
    (
      await until(
        () => service.api.get('/me'),
        (reply) => !isShed(reply),
      )
    ).status,
  ).toBe(200);
}, 60_000);
