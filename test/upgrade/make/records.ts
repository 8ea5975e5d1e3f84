import { generateSync } from 'otplib';
import { Browser } from '../../../faults/page-client.js';
import { until } from '../../support/feed.js';
import { propertyOf, taskOf } from '../../support/factories.js';
import { drafts, type Reply } from '../../support/model-server.js';
import type { ModelWorld } from '../../support/model-world.js';
import { authorize } from '../../support/oauth.js';
import { startOps } from '../../support/ops.js';
import { addPerson } from '../../support/people.js';
import { startReceiver } from '../../support/receiver.js';
import { owner } from '../../support/start-app.js';
import type { Api, Json } from '../../support/api.js';
import { type Credentials, mcpUrl } from '../saved.js';

const dataOf = ({ status, body, text }: { status: number; body: Json; text: string }): Json => {
  if (status >= 300) throw new Error(text);
  return body.data;
};

/** What the tests' scenes do not create: records that need a model, a person, a receiver or a month of stays. */
export async function addRecords(world: ModelWorld): Promise<Credentials> {
  const { service, key } = world;
  const api = service.api.as(key);
  const ops = await startOps(service);
  await ops('demo --org my-organization');
  await ops.close();
  await addDrafts(world, api);
  await addDeliveries(api);
  await taskOf(api, {
    name: 'Air',
    recurrence: 'FREQ=DAILY',
    dueAt: '2030-06-02T10:00:00Z',
    propertyId: await propertyOf(api),
  });
  await api.post('/properties', {
    name: 'With wifi',
    timezone: 'Europe/Lisbon',
    wifi: { name: 'House', password: 'much sand' },
  });
  const orgId = dataOf(await api.get('/organization')).id as string;
  const scopes = ['tasks:read', 'tasks:write', 'offline_access'];
  const tokens = await authorize(service, { ...owner, orgId, scopes, parameters: { resource: `${mcpUrl}/mcp` } });
  const input = { name: 'Made once' };
  const once = await api.post('/tasks', input, { 'idempotency-key': 'made-once' });
  return {
    key,
    owner,
    second: await addSecondFactor(world),
    application: {
      client_id: tokens.client.client_id,
      access_token: tokens.access_token,
      refresh_token: tokens.refresh_token as string,
    },
    idempotent: { key: 'made-once', input, data: dataOf(once) },
  };
}

async function addDrafts({ model, drafted }: ModelWorld, api: Api): Promise<void> {
  const body =
    '<mjml><mj-body><mj-section><mj-column><mj-text>Come in.</mj-text></mj-column></mj-section></mj-body></mjml>';
  model.script(drafts({ name: 'Drafted', subject: 'Welcome', preheader: null, body, textBody: null }));
  const { result } = await drafted('/email-templates/generate', { instruction: 'Welcome them' });
  await api.post(`/email-templates/${result.templateId}/publish`);
  model.script(translating);
  const sections = [{ title: 'House', blocks: [{ kind: 'text', text: 'Be kind' }] }];
  const guide = dataOf(await api.post('/guides', { name: 'Drafted', sourceLocale: 'en', sections }));
  await drafted(`/guides/${guide.id}/translations/initialize`, { locale: 'pt' });
  await api.post(`/guides/${guide.id}/publish`, { force: true });
  model.script(drafts({ wrong: true }));
  await drafted('/workflows/generate', { instruction: 'Something that fails' });
}

const translating: Reply = (asked, response) => {
  const { content } = asked.body.messages.find(({ role }) => role === 'user') as { content: string };
  const given = JSON.parse(/<data-\w+>\n([\s\S]*)\n<\/data-/.exec(content)?.[1] as string) as Record<string, string>;
  drafts(Object.fromEntries(Object.entries(given).map(([name, text]) => [name, `[pt] ${text}`])))(asked, response);
};

/** One that arrives and one that is rejected. */
async function addDeliveries(api: Api): Promise<void> {
  const receivers = [await startReceiver(), await startReceiver()] as const;
  receivers[1].answer = (_, response) => response.writeHead(500).end();
  for (const { url } of receivers) dataOf(await api.post('/webhook-endpoints', { url, eventTypes: ['task.created'] }));
  await taskOf(api);
  const attempted = async (): Promise<Json[]> =>
    ((await api.get('/webhook-deliveries?limit=100')).body.data as Json[]).filter(
      ({ attempts }) => attempts.length > 0,
    );
  await until(attempted, ({ length }) => length >= 2);
  for (const receiver of receivers) await receiver.close();
}

async function addSecondFactor({ service }: ModelWorld): Promise<Credentials['second']> {
  const { email } = await addPerson(service, { role: 'manager' });
  const password = 'some long words';
  const browser = new Browser(service.url);
  await browser.signIn(email as string, password);
  const page = await browser.get('/account/security/totp');
  const secret = /<code id="secret">(\w+)</.exec(page.html)?.[1] as string;
  await browser.submit(page, '/account/security/totp', { code: generateSync({ secret }) });
  return { email: email as string, password, secret };
}
