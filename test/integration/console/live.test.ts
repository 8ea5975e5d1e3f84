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

it('keeps at most 50 pages of a person up to date, and more when some are closed', async () => {
  const { slug } = (await service.api.get('/organization')).body.data as { slug: string };
  const browser = new Browser(service.url);
  await browser.signIn(owner.email, owner.password, `/console/${slug}`);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const abort = new AbortController();
  const open = (signal?: AbortSignal) =>
    fetch(`${service.url}/console/${slug}/live`, { headers: { cookie }, ...(signal && { signal }) });
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
