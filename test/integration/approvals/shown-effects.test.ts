import { wouldBe } from '../../../src/auth/approvals-page/would-be.js';
import { eventTypes } from '../../../src/platform/events/event-type.js';
import { stayOf } from '../../support/factories.js';
import { ApprovalWorld, pathOf } from './approval-world.js';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await ApprovalWorld.start();
});
afterAll(() => world.tenant.close());

/** The page of a request that waits, and the part about its effects. */
async function pageOf(operation: string, input: object) {
  const { key } = await world.asking('write');
  const { status, body } = await world.tenant.doors.rest.as(key).ask(operation, input);
  expect([status, body.error]).toEqual([202, undefined]);
  const page = await world.browser.get(pathOf(body));
  return { ...page, effects: page.html.slice(page.html.indexOf('What would change</h2>')) };
}

describe('what would change', () => {
  it('is said as something that has not happened yet, for every event', () => {
    const said = [...eventTypes().values()].map(({ description }) => wouldBe(description));
    expect(said.filter((sentence) => !sentence.includes(' would '))).toEqual([]);
  });

  it('names the records that would be created, without empty fields and ids', async () => {
    const { html, text, effects } = await pageOf('createReservation', {
      propertyId: world.tenant.here,
      checkInDate: '2031-12-20',
      checkOutDate: '2031-12-24',
      primaryGuest: { name: 'Maria Nuñez' },
      companions: [{ name: 'Leo Nuñez' }, { name: 'Eva Nuñez' }],
      guestCounts: { adults: 2, children: 1 },
    });
    expect(text).toContain('A guest would be added. (3)');
    for (const name of ['Maria Nuñez', 'Leo Nuñez', 'Eva Nuñez']) expect(effects).toContain(`<strong>${name}</strong>`);
    expect(effects).toContain('<strong>Maria Nuñez, Here, 2031-12-20 to 2031-12-24</strong>');
    expect(effects).toContain('<bdi>Leo Nuñez</bdi>, <bdi>Eva Nuñez</bdi>');
    expect(html).toContain('<ol><li value="1"><ul><li>Name: <bdi>Leo Nuñez</bdi></li></ul></li>');
    expect(text).not.toMatch(/(guest|reservation|item)_[0-9a-f]{32}|: –/);
  });

  it('names texts about guests that an undo restores, without showing them', async () => {
    const { api } = world.tenant;
    const stay = await stayOf(api, { propertyId: world.tenant.here, notes: 'Allergic to nuts' });
    await api.patch(`/reservations/${stay.id as string}`, {
      notes: 'Nothing known',
      arrivalAt: '2030-07-01T18:30:00Z',
    });
    const [entry] = (await api.get(`/audit-entries?targetId=${stay.id as string}&limit=1`)).body.data;
    const { effects, text } = await pageOf('undoChanges', { auditEntryIds: [entry.id] });
    expect(effects).toContain('<dt>Notes</dt><dd class="soft">(not shown)</dd>');
    expect(effects).toContain('<dt>Arrival at</dt>');
    expect(text).not.toMatch(/Allergic|Nothing known|Arrival time/);
  });

  it('is only what differs in values with fields of their own', async () => {
    const propertyId = world.tenant.elsewhere;
    const line1 = 'Rua Nova 1';
    const item = { title: 'Change the linen', required: true };
    const cleaning = {
      name: 'Cleaning',
      type: 'cleaning',
      timeRule: { start: { event: 'departure', offsetMinutes: 0 }, end: { event: 'departure', offsetMinutes: 60 } },
      checklist: [item, { title: 'Clean the kitchen' }],
    };
    const first = { address: { line1, city: 'Lisboa', country: 'PT' }, automaticTasks: [cleaning] };
    expect((await world.tenant.api.patch(`/properties/${propertyId}`, first)).status).toBe(200);
    const { effects } = await pageOf('updateProperty', {
      propertyId,
      address: { line1, city: 'Porto', country: 'PT' },
      automaticTasks: [{ ...cleaning, checklist: [item, { title: 'Clean the bathroom' }] }],
    });
    expect(effects).toContain('<ul><li>City: <del><bdi>Lisboa</bdi></del> <ins><bdi>Porto</bdi></ins></li></ul>');
    expect(effects).toContain('<del><bdi>Clean the kitchen</bdi></del> <ins><bdi>Clean the bathroom</bdi></ins>');
    expect(effects).toContain('Name: <bdi>Cleaning</bdi>');
    expect(effects).not.toMatch(/Rua Nova|Change the linen|Time rule/);
  });

  it('includes what events do not tell: metadata, and that a secret is set, changed or removed', async () => {
    const propertyId = world.tenant.here;
    const wifi = { networkName: 'Lake', password: 'first words' };
    const set = await pageOf('updateProperty', { propertyId, wifi, metadata: { rate: 'BAR' } });
    expect(set.effects).toContain('<dt>Wifi</dt><dd><bdi>••••••</bdi></dd>');
    expect(set.effects).toContain('<dt>Metadata</dt><dd><ul><li>Rate: <bdi>BAR</bdi></li></ul></dd>');
    expect((await world.tenant.api.patch(`/properties/${propertyId}`, { wifi })).status).toBe(200);
    const changed = await pageOf('updateProperty', { propertyId, wifi: { ...wifi, password: 'other words' } });
    expect(changed.effects).toContain('<del><bdi>••••••</bdi></del> <ins><bdi>••••••</bdi></ins>');
    const removed = await pageOf('updateProperty', { propertyId, wifi: null });
    expect(removed.effects).toContain('<del><bdi>••••••</bdi></del> <ins>–</ins>');
  });

  it('shows moments in one zone, whatever the offset of the request is', async () => {
    const task = { name: 'Sweep', propertyId: world.tenant.here, canStartAt: '2031-11-29T09:00:00-05:00' };
    const { html } = await pageOf('createTask', task);
    expect(html.match(/<dt>Can start at<\/dt><dd><bdi>2031-11-29 14:00 UTC<\/bdi>/g)).toHaveLength(2);
    const { text } = await pageOf('createTask', { name: '2031-13-45T09:00:00Z' });
    expect(text).toContain('Name 2031-13-45T09:00:00Z');
  });
});

describe('a workflow', () => {
  const wifi = { networkName: 'Lake', password: 'Sup3r-secret-words' };
  const step = (id: string, name: string) => ({ id, kind: 'operation', operation: 'createTask', input: { name } });
  const makeWorkflow = async (steps: object[]): Promise<string> => {
    const workflow = { name: 'Evening', trigger: { kind: 'manual' }, steps };
    return (await world.tenant.api.post('/workflows', workflow)).body.data.id as string;
  };

  it('is shown with its trigger and its steps where it would be activated or run', async () => {
    const propertyId = world.tenant.here;
    const secret = { id: 'set', kind: 'operation', operation: 'updateProperty', input: { propertyId, wifi } };
    const workflowId = await makeWorkflow([step('sweep', 'Sweep'), secret]);
    const activated = await pageOf('activateWorkflow', { workflowId });
    for (const said of [
      'When somebody runs it.',
      '1. Create a task: name "Sweep".',
      '2. Change a property: wifi {"password":"••••••"',
    ])
      expect(activated.effects.replaceAll('&quot;', '"')).toContain(said);
    expect(activated.effects).toContain('It has the permissions of A key of the tests.');
    expect(activated.html).not.toContain(wifi.password);
    expect((await world.tenant.api.post(`/workflows/${workflowId}/activate`)).status).toBe(200);
    const run = await pageOf('runWorkflow', { workflowId });
    expect(run.effects.replaceAll('&quot;', '"')).toContain('1. Create a task: name "Sweep".');
  });

  it('is shown as it was and as it would be where its steps would change', async () => {
    const workflowId = await makeWorkflow([step('sweep', 'Sweep')]);
    const { effects } = await pageOf('updateWorkflow', { workflowId, steps: [step('sweep', 'Mop')] });
    expect(effects).toMatch(/So far<.*name &quot;Sweep&quot;.*From then on<.*name &quot;Mop&quot;/s);
    const renamed = await pageOf('updateWorkflow', { workflowId, name: 'Night' });
    expect(renamed.effects).not.toContain('What it does');
  });
});
