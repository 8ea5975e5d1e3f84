import { SystemDatabase } from '#system-database';
import { type OwnersConsole, ownersConsole } from '../../support/console.js';
import type { Json } from '../../support/api.js';
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
