import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { MemberActivity } from '../../../src/tenancy/members/member-activity.service.js';
import { Browser } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { until } from '../../support/feed.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterEach(() => clock.restore());
afterAll(() => service.close());

async function signedIn(): Promise<{ path: string; cookie: string }> {
  const { slug } = (await service.api.get('/organization')).body.data as { slug: string };
  const browser = new Browser(service.url);
  await browser.signIn(owner.email, owner.password, `/console/${slug}`);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { path: `/console/${slug}/live`, cookie };
}

it('keeps at most 50 pages of a person up to date, and more when some are closed', async () => {
  const { path, cookie } = await signedIn();
  const abort = new AbortController();
  const open = (signal?: AbortSignal) =>
    fetch(`${service.url}${path}`, { headers: { cookie }, ...(signal && { signal }) });
  // A person has 50 requests a second.
  clock.set(Date.now());
  const statuses: number[] = [];
  for (let count = 0; count < 50; count += 1) {
    if (count % 25 === 0) clock.advance(1_000);
    statuses.push((await open(abort.signal)).status);
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  clock.advance(1_000);
  const refused = await open();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  expect(await refused.text()).toContain('You have 50 pages of the console open.');
  abort.abort();
  const again = await until(
    () => {
      clock.advance(1_000);
      return open();
    },
    ({ status }) => status === 200,
  );
  await again.body?.cancel();
});

it('does not count pages that were closed while their session was looked up', async () => {
  const { path, cookie } = await signedIn();
  const server = service.app.getHttpServer() as Server;
  const { host, port } = new URL(service.url);
  // A later minute than that of the requests above, which count for the same person.
  clock.set(Date.now() + 60_000);
  for (let batch = 0; batch < 2; batch += 1) {
    clock.advance(1_000);
    const closed: Promise<unknown>[] = [];
    const arrived = (_: IncomingMessage, response: ServerResponse) => closed.push(once(response, 'close'));
    server.on('request', arrived);
    const { promise: allClosed, resolve } = Promise.withResolvers<undefined>();
    const note = jest.spyOn(service.app.get(MemberActivity), 'note').mockReturnValue(allClosed);
    const sockets = Array.from({ length: 25 }, () => connect(Number(port), '127.0.0.1'));
    for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`);
    await until(
      () => Promise.resolve(note.mock.calls.length),
      (calls) => calls === sockets.length,
    );
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    server.off('request', arrived);
    resolve(undefined);
    note.mockRestore();
  }
  clock.advance(1_000);
  const page = await fetch(`${service.url}${path}`, { headers: { cookie } });
  expect(page.status).toBe(200);
  await page.body?.cancel();
});
