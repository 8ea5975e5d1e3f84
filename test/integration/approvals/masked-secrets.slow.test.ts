import { Catalogue, classOf, fieldsOf, type JsonSchema, type Operation, type Shape } from '#operations';
import { membersOf } from '../../../libs/operations/union.js';
import { owner } from '../../support/start-app.js';
import { pushedBy } from '../../support/factories.js';
import { Mailbox } from '../../support/mailbox.js';
import { tablesWith } from '../../support/plain-text.js';
import { simulatorOf } from '../../support/simulator.js';
import { ApprovalWorld, pathOf } from './approval-world.js';

const digits = '48291357';
const password = 'Sup3r-secret-words';
const secrets = [digits, password, 'token-4711'];
const wifi = { networkName: 'Lake', password };

let world: ApprovalWorld;
beforeAll(async () => {
  world = await ApprovalWorld.start();
});
afterAll(() => world.tenant.close());

/** Each operation whose input contains a secret, with an input that does. */
const inputs: Record<string, (own: Own) => object> = {
  createAccessCode: ({ deviceId }) => ({ deviceId, name: 'Cleaners', type: 'ongoing', code: digits }),
  updateAccessCode: ({ accessCodeId }) => ({ accessCodeId, code: digits }),
  createProperty: () => ({ name: 'Lake House', timezone: 'UTC', wifi }),
  updateProperty: ({ propertyId }) => ({ propertyId, wifi }),
  savePropertyByRef: ({ connection }) => ({ ...connection, externalId: '7', name: 'Seven', timezone: 'UTC', wifi }),
  savePropertiesInBulk: ({ connection }) => ({
    ...connection,
    items: [{ externalId: '8', sourceVersion: 1, name: 'Eight', timezone: 'UTC', wifi }],
  }),
  createConnection: () => ({
    provider: 'ical',
    kind: 'pms',
    name: 'Calendar',
    credentials: { apiKey: password },
    settings: {
      url: 'https://calendar.tests.example/token-4711.ics?key=token-4711',
      propertyId: world.tenant.here,
    },
  }),
  updateConnection: ({ connection }) => ({ ...connection, credentials: { apiKey: password } }),
  saveWorkflow: ({ steps }) => ({ name: 'Made', trigger: { kind: 'manual' }, steps }),
  updateWorkflow: ({ workflowId, steps }) => ({ workflowId, steps }),
};

interface Own {
  deviceId: string;
  accessCodeId: string;
  propertyId: string;
  connection: { connectionId: string };
  workflowId: string;
  steps: object[];
}

async function made(): Promise<Own> {
  const { api, here: propertyId } = world.tenant;
  const deviceId = (await simulatorOf(api, { propertyId })).devices['sim-lock-1'];
  const idOf = async (path: string, body: object) => (await api.post(path, body)).body.data.id as string;
  const step = { id: 'set', kind: 'operation', operation: 'updateProperty', input: { propertyId, wifi } };
  const anyStep = { ...step, input: { propertyId, checkInTime: '14:00' } };
  const rules = { rules: [{ field: 'run.id', operator: 'exists', value: true }], match: 'all' };
  return {
    deviceId,
    accessCodeId: await idOf('/access-codes', { deviceId, name: 'Guests', type: 'ongoing' }),
    propertyId,
    connection: { connectionId: await pushedBy(api) },
    workflowId: await idOf('/workflows', { name: 'Old', trigger: { kind: 'manual' }, steps: [anyStep] }),
    steps: [step, { id: 'or', kind: 'branch', conditions: rules, steps: [{ ...step, id: 'again' }] }],
  };
}

const operations = (): Operation[] =>
  world.tenant.service.app
    .get(Catalogue)
    .all()
    .map(({ operation }) => operation);

/** Whether a field below matches. */
function contains(
  shape: Shape,
  matches: (field: { name: string; schema: JsonSchema }) => boolean,
  seen = new Set<Shape>(),
): boolean {
  if (seen.has(shape)) return false;
  seen.add(shape);
  const own = fieldsOf(shape);
  const inner = own.flatMap(({ schema }) => {
    const item = (schema.items as JsonSchema | undefined)?.['x-item'] as (() => Shape) | undefined;
    return classOf(schema) ?? item?.() ?? [];
  });
  const members = Object.values(membersOf(shape)?.members ?? {});
  return own.some(matches) || [...inner, ...members].some((one) => contains(one, matches, seen));
}

describe('a secret in a held request', () => {
  it('is one in each input that contains one', () => {
    const isMarked = ({ schema }: { schema: JsonSchema }): boolean => 'x-secret' in schema || 'x-input-of' in schema;
    const marked = operations().filter(({ input }) => contains(input, isMarked));
    expect(marked.map(({ name }) => name).sort()).toEqual(Object.keys(inputs).sort());
    // What an operation reveals is secret in the inputs about the same subject.
    const subjectOf = ({ scope = '' }: Operation): string | undefined => scope.split(':')[0];
    const isRevealed = (operation: Operation, name: string): boolean =>
      operations().some((one) => one.showsSecret === name && subjectOf(one) === subjectOf(operation));
    const isUnmarked =
      (operation: Operation) =>
      ({ name, schema }: { name: string; schema: JsonSchema }): boolean =>
        !('x-secret' in schema) &&
        (isRevealed(operation, name) || /password|secret|credentials$|token$|^apiKey/i.test(name));
    const writes = operations().filter(({ effect }) => effect !== 'read');
    expect(writes.filter((one) => contains(one.input, isUnmarked(one))).map(({ name }) => name)).toEqual([]);
  });

  it.each(Object.keys(inputs))(
    'is masked on the page and in the API, and stored in no table as it is: %s',
    async (name) => {
      const { api, key } = await world.asking('everything');
      const input = inputs[name]!(await made());
      const { status, body } = await world.tenant.doors.rest.as(key).ask(name, input);
      expect([status, body.data?.status, body.error]).toEqual([202, 'pending', undefined]);
      const { id } = body.data;
      const { slug } = (await world.tenant.api.get('/organization')).body.data;
      const pending = await world.browser.get(pathOf(body));
      expect([pending.status, pending.text.includes('••••••')]).toEqual([200, true]);
      await world.decide(body, name === 'createConnection' ? 'refuse' : 'approve');
      await world.outcomeOf(id, key);
      const decided = await world.browser.get(pathOf(body));
      const lists = [
        await world.browser.get('/account/approvals'),
        await world.browser.get(`/console/${slug}/approvals`),
      ];
      expect(lists.map(({ status: is }) => is)).toEqual([200, 200]);
      const mailbox = new Mailbox(world.tenant.service.config.dataDir);
      const told = [
        await api.get('/approvals'),
        await world.tenant.api.get(`/events?subject=${id}`),
        await world.tenant.api.get(`/audit-entries?targetId=${id}`),
        await api.get(`/approvals/${id}`),
      ];
      expect(told.map(({ status: is }) => is)).not.toContain(404);
      const shown = [pending, decided, ...lists].map(({ html }) => html);
      const everything = [...shown, ...told.map(({ text }) => text), ...mailbox.all(owner.email), JSON.stringify(body)];
      for (const secret of secrets) expect(everything.filter((text) => text.includes(secret))).toEqual([]);
      for (const secret of [digits, password])
        expect([secret, await tablesWith(world.tenant.service.database.url, secret)]).toEqual([secret, []]);
    },
  );

  it('shows which credentials are set, to whom, and that a network is removed', async () => {
    const { key } = await world.asking('everything');
    const own = await made();
    const asked = async (name: string, input: object) => {
      const { body } = await world.tenant.doors.rest.as(key).ask(name, input);
      return (await world.browser.get(pathOf(body))).text;
    };
    const connecting = await asked('createConnection', inputs.createConnection!(own));
    expect(connecting).toContain('Api key: ••••••');
    expect(connecting).toContain('https://calendar.tests.example/••••••');
    const setting = await asked('updateProperty', inputs.updateProperty!(own));
    expect(setting).toMatch(/Network name: Lake .*Password: ••••••/);
    expect(await asked('updateProperty', { propertyId: own.propertyId, wifi: null })).toMatch(/Wifi –/);
  });
});
