import type { Json } from '../../support/api.js';
import { leastCpuMs } from '../../support/cpu.js';
import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { absentId, keyWith } from '../../support/factories.js';
import { Mailbox } from '../../support/mailbox.js';
import { memberOf } from '../../support/behind-the-api.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
let mailbox: Mailbox;
beforeAll(async () => {
  tenant = await startTenant();
  mailbox = new Mailbox(tenant.service.config.dataDir);
});
afterAll(() => tenant.close());

const welcome = {
  name: 'Welcome',
  subject: 'Welcome, {{ guest.name }}',
  body: '<mjml><mj-body><mj-section><mj-column><mj-text>Dear {{ guest.name }}</mj-text></mj-column></mj-section></mj-body></mjml>',
  variables: [{ key: 'guest.name', type: 'text', required: true }],
};

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);
  const save = async (wishes: object = {}): Promise<Json> =>
    (await ask('saveEmailTemplate', { ...welcome, ...wishes })).body.data;

  it('saveEmailTemplate returns a draft with its lint results, and getEmailTemplate the same', async () => {
    const { status, body } = await ask('saveEmailTemplate', { ...welcome, body: '<a href="/x">{{ wifi }}</a>' });
    expect(status).toBe(201);
    const { id, issues, versions, createdAt, updatedAt, ...template } = body.data;
    expect([/^template_[0-9a-f]{32}$/.test(id), createdAt]).toEqual([true, updatedAt]);
    expect(template).toEqual({
      ...welcome,
      body: '<a href="/x">{{ wifi }}</a>',
      status: 'draft',
      category: 'transactional',
      preheader: null,
      textBody: null,
      metadata: {},
      externalRefs: [],
      templateVersion: 1,
      latestVersion: 1,
      publishedVersion: null,
      version: 1,
    });
    expect(issues.map(({ severity, rule, field }: Json) => `${severity} ${rule} ${field}`)).toEqual([
      'error undeclared_variable body',
      'error broken_link body',
    ]);
    const made = { createdBy: expect.stringMatching(/^member_/), createdAt: expect.any(String) };
    expect(versions).toEqual([{ templateVersion: 1, origin: 'given', ...made, publishedAt: null }]);
    expect((await ask('getEmailTemplate', { templateId: id })).body.data).toEqual(body.data);
  });

  it.each([
    ['subject', { subject: 'Hi\r\nBcc: eve@example.com' }],
    ['preheader', { preheader: 'a\nb' }],
    ['body', { body: 'x'.repeat(100_001) }],
    ['category', { category: 'spam' }],
    ['html', { html: 'x' }],
  ])('saveEmailTemplate rejects a bad %s', async (field, wishes) => {
    const reply = await ask('saveEmailTemplate', { ...welcome, ...wishes });
    expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
  });

  it('saveEmailTemplate rejects a name that would contain two values', async () => {
    const variables = [...welcome.variables, { key: 'guest', type: 'text', required: false }];
    expect(issuePaths(await ask('saveEmailTemplate', { ...welcome, variables }))).toEqual(['variables.0.key']);
  });

  it('publishes, changes and rolls back versions that do not change', async () => {
    const { id: templateId, versions } = await save();
    const published = (await ask('publishEmailTemplate', { templateId })).body.data;
    expect([published.status, published.publishedVersion, published.version]).toEqual(['published', 1, 2]);

    const second = (await ask('updateEmailTemplate', { templateId, subject: 'Hello, {{ guest.name }}' })).body.data;
    expect([second.templateVersion, second.latestVersion, second.publishedVersion]).toEqual([2, 2, 1]);
    expect([second.subject, second.body]).toEqual(['Hello, {{ guest.name }}', welcome.body]);
    const renamed = (await ask('updateEmailTemplate', { templateId, name: 'Greeting' })).body.data;
    expect([renamed.name, renamed.latestVersion]).toEqual(['Greeting', 2]);

    const first = (await ask('getEmailTemplate', { templateId, templateVersion: 1 })).body.data;
    expect([first.subject, first.templateVersion]).toEqual([welcome.subject, 1]);
    const { from, to, changes } = (await ask('diffEmailTemplate', { templateId, from: 1 })).body.data;
    expect([from, to, changes.map(({ field }: Json) => field)]).toEqual([1, 2, ['subject']]);
    expect(changes[0].patch).toContain('-Welcome, {{ guest.name }}');
    expect((await ask('diffEmailTemplate', { templateId, from: 1, to: 3 })).status).toBe(404);

    expect((await ask('rollBackEmailTemplate', { templateId })).body.error.code).toBe('NOTHING_TO_ROLL_BACK_TO');
    await ask('publishEmailTemplate', { templateId });
    expect(issuePaths(await ask('rollBackEmailTemplate', { templateId, templateVersion: 2 }))).toEqual([
      'templateVersion',
    ]);
    const back = (await ask('rollBackEmailTemplate', { templateId })).body.data;
    expect([back.publishedVersion, back.subject]).toEqual([1, welcome.subject]);
    expect(back.versions.map((one: Json) => [one.templateVersion, one.publishedAt !== null])).toEqual([
      [2, true],
      [1, true],
    ]);
    expect(back.versions[1].createdAt).toBe(versions[0].createdAt);
  });

  it('publishEmailTemplate rejects and names errors, and allows warnings', async () => {
    const { id: templateId } = await save({ category: 'marketing' });
    const { status, body } = await ask('publishEmailTemplate', { templateId });
    expect([status, body.error.code]).toEqual([409, 'TEMPLATE_HAS_ERRORS']);
    expect(body.error.details.issues.map(({ rule }: Json) => rule)).toEqual(['missing_unsubscribe']);
    const better = '<a href="{{ unsubscribeUrl }}">No more</a>';
    const { data } = (await ask('updateEmailTemplate', { templateId, subject: 'Offers', body: better })).body;
    expect(data.issues.map(({ severity }: Json) => severity)).toEqual(['warning']);
    expect((await ask('publishEmailTemplate', { templateId, templateVersion: 1 })).status).toBe(409);
    expect((await ask('publishEmailTemplate', { templateId })).status).toBe(200);
  });

  it('renderEmailTemplate shows what would be sent, with samples for missing values', async () => {
    const { id: templateId } = await save({ preheader: 'For {{ guest.name }}' });
    const given = (await ask('renderEmailTemplate', { templateId, data: { guest: { name: '<script>Ana' } } })).body
      .data;
    expect([given.subject, given.templateVersion]).toEqual(['Welcome, <script>Ana', 1]);
    expect(given.html).toContain('Dear &lt;script&gt;Ana');
    expect(given.html).not.toContain('<script');
    expect(given.text).toBe('Dear <script>Ana');
    expect((await ask('renderEmailTemplate', { templateId })).body.data.text).toBe('Dear [guest.name]');
    const data = { guest: { name: 'a\r\nBcc: eve@example.com' } };
    expect((await ask('renderEmailTemplate', { templateId, data })).body.error.code).toBe('TEMPLATE_DOES_NOT_RENDER');
    expect(issuePaths(await ask('renderEmailTemplate', { templateId, data: { guest: { name: [] } } }))).toEqual([
      'data.guest.name',
    ]);
  });

  it('renderEmailTemplate aborts a hostile template', async () => {
    const { id: templateId } = await save({ body: '{% for i in (1..1000000000) %}x{% endfor %}' });
    const { status, body } = await ask('renderEmailTemplate', { templateId });
    expect([status, body.error.code]).toEqual([409, 'TEMPLATE_DOES_NOT_RENDER']);
  });

  it('renderEmailTemplate works in a thread, so that it delays no other request', async () => {
    const loops = '{% for i in (1..900) %}{% for j in (1..900) %}{% assign a = 1 %}{% endfor %}{% endfor %}';
    const { id: templateId } = await save({ body: loops.repeat(9) });
    const renderAgain = async (): Promise<void> => {
      expect((await ask('renderEmailTemplate', { templateId })).body.error.code).toBe('TEMPLATE_DOES_NOT_RENDER');
    };
    // In this thread, which also serves the requests, it would take a quarter of a second.
    expect(await leastCpuMs(renderAgain)).toBeLessThan(125);
  });

  it('sendTestEmail sends a version to a member, marked, and logs it', async () => {
    const email = `tester-${door}@tests.example`;
    const memberId = await memberOf(tenant.service, { email });
    const { id: templateId } = await save();
    const data = { guest: { name: 'Ana' } };
    const { status, body } = await ask('sendTestEmail', { templateId, memberId, data });
    expect([status, body.data.memberId, body.data.guestId, body.data.test]).toEqual([200, memberId, null, true]);
    const mail = await mailbox.latest(email, /^\[Test\] Welcome, Ana$/);
    expect(mail).toContain('Content-Type: text/html');
    expect(mail).toMatch(/^From: .*<no-reply@localhost.invalid>$/m);
    expect(issuePaths(await ask('sendTestEmail', { templateId }))).toEqual(['memberId']);
    expect((await ask('sendTestEmail', { templateId, memberId: absentId('member') })).status).toBe(404);
  });

  it('archiveEmailTemplate archives a template', async () => {
    const { id: templateId } = await save({ name: 'Old' });
    const ended = (await ask('archiveEmailTemplate', { templateId })).body.data;
    expect(ended.status).toBe('archived');
    expect((await ask('archiveEmailTemplate', { templateId })).body.data).toEqual(ended);
    for (const operation of ['publishEmailTemplate', 'updateEmailTemplate', 'rollBackEmailTemplate', 'sendTestEmail'])
      expect((await ask(operation, { templateId })).body.error.code).toBe('TEMPLATE_ARCHIVED');
    const listed = async (input: object) =>
      (await ask('listEmailTemplates', { limit: 100, ...input })).body.data.map(({ id }: Json) => id);
    expect(await listed({})).not.toContain(templateId);
    expect(await listed({ status: 'archived' })).toContain(templateId);
  });

  it('listEmailTemplates filters and sorts, without the contents', async () => {
    const { id, latestVersion } = await save({ name: `AAA ${door}`, category: 'in_stay' });
    const { data } = (await ask('listEmailTemplates', { category: 'in_stay', sort: 'name' })).body;
    expect(data.every(({ category }: Json) => category === 'in_stay')).toBe(true);
    const found = data.find((one: Json) => one.id === id);
    expect([found.latestVersion, 'body' in found]).toEqual([latestVersion, false]);
  });

  it('a limited key reads templates and changes none; another organization sees none', async () => {
    const { id: templateId } = await save();
    const { key } = tenant.limited;
    expect((await ask('getEmailTemplate', { templateId }, key)).status).toBe(200);
    expect((await ask('saveEmailTemplate', welcome, key)).status).toBe(403);
    for (const operation of ['updateEmailTemplate', 'publishEmailTemplate', 'rollBackEmailTemplate'])
      expect((await ask(operation, { templateId }, key)).status).toBe(403);
    expect((await ask('archiveEmailTemplate', { templateId }, key)).status).toBe(403);
    const writer = (await keyWith(tenant.api, { scopes: ['templates:read', 'templates:write'] })).key;
    expect((await ask('publishEmailTemplate', { templateId }, writer)).status).toBe(403);
    const foreign = tenant.stranger.key;
    for (const operation of ['getEmailTemplate', 'renderEmailTemplate', 'publishEmailTemplate', 'sendTestEmail'])
      expect((await ask(operation, { templateId }, foreign)).status).toBe(404);
  });
});
