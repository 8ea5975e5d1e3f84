import { SystemDatabase } from '#system-database';
import { type OwnersConsole, ownersConsole } from '../../support/console.js';
import type { Json } from '../../support/api.js';
import { day, hotelOf } from '../../support/hotel.js';
import { manyStays } from '../../support/many-stays.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let pages: OwnersConsole;
beforeAll(async () => {
  service = await startApp();
  pages = await ownersConsole(service);
});
afterAll(() => service.close());

const rows = (text: string, values: unknown[] = []) => service.app.get(SystemDatabase).rows(text, values);

/** More than a page of the console reads one by one. */
const many = 1_100;

describe('the page of a busy organization', () => {
  it('shows the newest events, however many came before them', async () => {
    const { id } = (await service.api.post('/tasks', { name: 'Old' })).body.data as Json;
    await rows(
      `insert into events (org_id, id, transaction_id, type, subject_type, subject_id, sequence, actor, data, occurred_at)
       select org_id, uuidv7(), transaction_id, 'task.updated', subject_type, subject_id, sequence + n, actor, data,
              occurred_at - interval '30 minutes'
         from events, generate_series(1, ${many}) n where subject_id = $1`,
      [id],
    );
    const newer: string[] = [];
    for (const name of ['New', 'Newest'])
      newer.unshift(((await service.api.post('/tasks', { name })).body.data as Json).id as string);
    const { html } = await pages.open('');
    const [, shown = ''] = html.split('<h2>Latest events</h2>');
    const records = [...shown.matchAll(/\btask_[0-9a-f]{32}\b/g)].map(([record]) => record);
    expect([...new Set(records)].slice(0, 3)).toEqual([...newer, id]);
  });

  it('lists and counts all stays of a day, a thousand at a time', async () => {
    const { propertyId } = await hotelOf(service.api, {});
    await manyStays(service.database.url, propertyId, { rooms: many, ofEach: 1 });
    const shown = async (path: string) => {
      const { html, text } = await pages.open(path);
      const next = /href="[^"]*\/(today[^"]+)">Next stays of the day/.exec(html)?.[1]?.replaceAll('&amp;', '&');
      const guests = html.match(/data-label="Guest"/g)?.length;
      return { arrive: /(\d+) arrive/.exec(text)?.[1], guests, isPart: text.includes('Only a part'), next };
    };
    const { next, ...first } = await shown(`today?propertyId=${propertyId}&date=${day(4)}`);
    expect(first).toEqual({ arrive: '1000', guests: 1_000, isPart: true });
    expect((await pages.open(next as string)).html).not.toMatch(/after=[^"]*">(← Earlier|Later →)/);
    expect(await shown(next as string)).toEqual({ arrive: '100', guests: 100, isPart: true, next: undefined });
  });

  it('says that not all deliveries of an endpoint were counted', async () => {
    const input = { url: 'https://example.com/hooks', eventTypes: ['task.created'] };
    const { id } = (await service.api.post('/webhook-endpoints', input)).body.data as Json;
    await service.api.post('/tasks', { name: 'Sweep' });
    const captionNow = async () =>
      /<figcaption>(.*?)<\/figcaption>/.exec((await pages.open(`webhooks/${id as string}`)).html)?.[1];
    expect(await captionNow()).toBe('Deliveries of the last seven days <span class="soft">(highest: 1)</span>');
    await rows(
      `insert into webhook_deliveries (org_id, endpoint_id, event_id, event_type, subject_id, sequence, status, due_at, created_at)
       select org_id, endpoint_id, event_id, event_type, subject_id, sequence, 'failed', due_at, created_at
         from webhook_deliveries, generate_series(1, ${many})`,
    );
    expect(await captionNow()).toBe(
      'The newest 1,000 deliveries of the last seven days <span class="soft">(highest: at least 1,000)</span>',
    );
  });
});
