import type { Json } from '../../support/api.js';
import { doorNames, doors } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { keyWith, propertyOf } from '../../support/factories.js';
import { hostileTexts } from '../../support/hostile-texts.js';
import { drafts, held, respondsWith } from '../../support/model-server.js';
import { type ModelWorld, openModelWorld } from '../../support/model-world.js';
import { sampled } from '../../support/sampled.js';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.model.asked.splice(0);
  world.model.script(drafts(written));
});

const api = () => world.service.api.as(world.key);

const written = {
  name: 'Welcome',
  subject: 'Welcome, {{ guest.name }}',
  preheader: null,
  body: '<mjml><mj-body><mj-section><mj-column><mj-text>Dear {{ guest.name }}, come in.</mj-text></mj-column></mj-section></mj-body></mjml>',
  textBody: null,
};

const given = {
  name: 'Given',
  subject: 'Your stay',
  body: '<p>Dear {{ guest.name }}, see <a href="https://stay.example/guide">the guide</a>.</p>',
  variables: [{ key: 'guest.name', type: 'text', required: true }],
};
const saved = async (wishes: object = {}): Promise<string> =>
  (await api().post('/email-templates', { ...given, ...wishes })).body.data.id as string;
const template = async (id: string): Promise<Json> => (await api().get(`/email-templates/${id}`)).body.data;

const create = (wishes: object = {}): Promise<Json> =>
  world.drafted('/email-templates/generate', { instruction: 'Welcome them', ...wishes });
const modify = (id: string, wishes: object = {}): Promise<Json> =>
  world.drafted(`/email-templates/${id}/modify`, { instruction: 'Shorter', ...wishes });

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = world.key) =>
    doors(world.service)[door].as(key).ask(operation, input);

  it('create_email_template creates a draft that is sent nowhere', async () => {
    const { status, body } = await ask('create_email_template', {
      instruction: 'Welcome them',
      category: 'pre_arrival',
    });
    expect([status, body.data.operation]).toEqual([202, 'create_email_template']);
    const { status: end, result } = await world.ended(body.data.id);
    expect([end, result.templateVersion, result.warnings]).toEqual(['succeeded', 1, []]);
    const made = await template(result.templateId);
    expect(made).toMatchObject({ ...written, status: 'draft', publishedVersion: null, category: 'pre_arrival' });
    expect(made.versions).toMatchObject([{ origin: 'model' }]);
    expect(made.variables.map(({ key }: Json) => key)).toEqual(['guest.name']);
    expect(result.draft).toMatchObject(written);
  });

  it('modify_email_template creates a new version and a diff, and the published one does not change', async () => {
    const templateId = await saved();
    await api().post(`/email-templates/${templateId}/publish`);
    const { status, body } = await ask('modify_email_template', { templateId, instruction: 'Warmer' });
    expect(status).toBe(202);
    const { result } = await world.ended(body.data.id);
    expect(result.diff.map(({ field }: Json) => field)).toEqual(['subject', 'body']);
    expect(result.diff[0].patch).toContain('-Your stay');
    const changed = await template(templateId);
    expect([changed.name, changed.latestVersion, changed.publishedVersion]).toEqual(['Given', 2, 1]);
    expect([changed.subject, changed.versions[0].origin]).toEqual([written.subject, 'model']);
  });

  it('rejects a request that cannot succeed, and asks no model', async () => {
    const variables = [
      { key: 'a', type: 'text', required: false },
      { key: 'a.b', type: 'text', required: false },
    ];
    expect(issuePaths(await ask('create_email_template', { instruction: 'x', variables }))).toEqual([
      'variables.1.key',
    ]);
    const archived = await saved();
    await api().post(`/email-templates/${archived}/archive`);
    const input = { templateId: archived, instruction: 'x' };
    expect((await ask('modify_email_template', input)).body.error.code).toBe('TEMPLATE_ARCHIVED');
    const { key } = await keyWith(api(), { propertyIds: [await propertyOf(api())] });
    expect((await ask('create_email_template', { instruction: 'x' }, key)).status).toBe(403);
    expect((await ask('modify_email_template', { ...input, templateId: await saved() }, key)).status).toBe(403);
    expect(world.model.asked).toEqual([]);
  });

  it('saves nothing if its caller is limited to a property while the model writes', async () => {
    const { key } = await keyWith(api());
    const { member } = (await world.service.api.as(key).get('/me')).body.data;
    const { reply, asked, release } = held(drafts(written));
    world.model.script(reply);
    const { body } = await ask('create_email_template', { instruction: 'x' }, key);
    await asked;
    const limit = { propertyIds: [await propertyOf(api())] };
    expect((await api().patch(`/members/${member.id}`, limit)).status).toBe(200);
    release();
    const job = await world.ended(body.data.id);
    expect(job).toMatchObject({ status: 'failed', result: null, error: { code: 'FORBIDDEN' } });
  });
});

describe("a model's template", () => {
  it.each([
    ['uses a variable that is not declared', { body: '<p>{{ guest.passport }}</p>' }, 'guest.passport'],
    [
      'has a link that was not in the request',
      { body: '<a href="https://attacker.example/x">x</a>' },
      'attacker.example',
    ],
    [
      'has a picture that was not in the request',
      { body: '<img src="https://attacker.example/x.png">' },
      'attacker.example',
    ],
    ['has an email address in its text', { textBody: 'Write to evil@attacker.example' }, 'evil@attacker.example'],
    ['assembles a link', { body: '<p>{{ "example/x" | prepend: "https://attacker." }}</p>' }, 'attacker.example'],
    ['hides a link in entities', { body: '<p>&#104;ttps://attacker.example</p>' }, 'attacker.example'],
    ['has a script', { body: '<script>x</script>' }, '<script>'],
    ['is invalid Liquid', { subject: '{{ guest.name' }, 'Liquid'],
    ['is invalid MJML', { body: '<mjml><mj-body><mj-foo/></mj-body></mjml>' }, 'mj-foo'],
    ['takes forever', { body: '{% for i in (1..1000000000) %}x{% endfor %}' }, 'cannot be rendered'],
  ])('is corrected if it %s', async (_, wrong, message) => {
    world.model.script(drafts({ ...written, ...wrong }), drafts(written));
    expect(await create()).toMatchObject({ status: 'succeeded', result: { draft: written } });
    expect(world.corrections()).toEqual([expect.stringContaining(message)]);
  });

  it('is not saved if it is never corrected', async () => {
    const names = async () => (await api().get('/email-templates?limit=100')).body.data.length;
    const before = await names();
    world.model.script(drafts({ ...written, name: 'Hostile', body: '<a href="https://attacker.example">x</a>' }));
    const job = await create();
    expect([job.status, job.error.code]).toEqual(['failed', 'DRAFT_REFUSED']);
    const templateId = await saved();
    expect((await modify(templateId)).status).toBe('failed');
    expect([(await template(templateId)).latestVersion, await names()]).toEqual([1, before + 1]);
  });

  it('links only where the instruction, or the previous template, links', async () => {
    const body = '<a href="https://stay.example/other">x</a><a href="mailto:desk@stay.example">y</a>';
    world.model.script(drafts({ ...written, body }));
    const instruction = 'Link to https://stay.example/welcome and name desk@stay.example';
    expect((await create({ instruction })).status).toBe('succeeded');
    const templateId = await saved();
    expect((await modify(templateId)).status).toBe('failed');
    world.model.script(drafts({ ...written, body: '<a href="https://stay.example/other">x</a>' }));
    expect((await modify(templateId)).status).toBe('succeeded');
  });

  it('has an unsubscribe link if it advertises', async () => {
    const better = { ...written, body: '<a href="{{ unsubscribeUrl }}">No more</a>' };
    world.model.script(drafts(written), drafts(better));
    expect((await create({ category: 'marketing' })).result.draft.body).toBe(better.body);
  });

  it('uses only variables that the caller declares', async () => {
    const variables = [{ key: 'wifi', type: 'text', required: true }];
    world.model.script(drafts(written), drafts({ ...written, subject: 'Wifi', body: '<p>{{ wifi }}</p>' }));
    expect((await create({ variables })).result.draft.variables).toMatchObject(variables);
    expect(world.corrections()).toEqual([expect.stringContaining('guest.name')]);
    world.model.script(drafts({ ...written, body: '<p>{{ guest.name }} {{ wifi }}</p>' }));
    const keys = (await modify(await saved(), { variables })).result.draft.variables.map(({ key }: Json) => key);
    expect(keys).toEqual(['guest.name', 'wifi']);
  });

  it('does not undo changes that somebody made in the meantime', async () => {
    const templateId = await saved();
    world.model.script((asked, response) => {
      void api()
        .patch(`/email-templates/${templateId}`, { subject: 'By hand' })
        .then(() => drafts(written)(asked, response));
    });
    const job = await modify(templateId);
    expect([job.status, job.error.code]).toEqual(['failed', 'TEMPLATE_CHANGED_MEANWHILE']);
    expect(await template(templateId)).toMatchObject({ subject: 'By hand', latestVersion: 2 });
  });

  it('is rejected if the model writes no JSON', async () => {
    world.model.script(respondsWith('Dear guest'));
    expect((await create()).error.code).toBe('DRAFT_REFUSED');
  });

  it.each(sampled(hostileTexts, 3, 1))('uses a template with the text %s only as data', async (text) => {
    const templateId = await saved({ body: `<p>${text.replaceAll(/[{}]/g, '')}</p>` });
    expect((await modify(templateId)).status).toBe('succeeded');
    const [{ body }] = world.model.asked as [Json];
    const outside = body.messages.map(({ content }: Json) => content.replace(/<data-\w+>\n[\s\S]*\n<\/data-\w+>/, ''));
    expect(outside.join('\n')).not.toContain(text.slice(0, 30));
  });
});
