import { doorNames } from '../../support/doors.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

let day = 0;
const nights = () => {
  const next = () => new Date(Date.UTC(2033, 0, (day += 1))).toISOString().slice(0, 10);
  return { checkInDate: next(), checkOutDate: next() };
};
const steps = [{ id: 'make', kind: 'operation', operation: 'createTask', input: { name: 'Made' } }];
const kinds: [create: string, update: string, id: string, input: () => object][] = [
  ['createProperty', 'updateProperty', 'propertyId', () => ({ name: 'Made', timezone: 'UTC' })],
  ['createUnit', 'updateUnit', 'unitId', () => ({ name: `Made ${(day += 1)}`, propertyId: tenant.here })],
  ['createGuest', 'updateGuest', 'guestId', () => ({ name: 'Ana' })],
  ['createReservation', 'updateReservation', 'reservationId', () => ({ propertyId: tenant.here, ...nights() })],
  ['createTask', 'updateTask', 'taskId', () => ({ name: 'Made' })],
  ['saveEmailTemplate', 'updateEmailTemplate', 'templateId', () => ({ name: 'M', subject: 'Hi', body: '<p>Hi</p>' })],
  ['saveWorkflow', 'updateWorkflow', 'workflowId', () => ({ name: 'Made', trigger: { kind: 'manual' }, steps })],
  ['saveGuide', 'updateGuide', 'guideId', () => ({ name: `Made ${(day += 1)}`, sourceLocale: 'en' })],
];

describe.each(doorNames)('metadata over %s', (name) => {
  const ask = (operation: string, input: object) => tenant.doors[name].ask(operation, input);

  it.each(kinds)('%s stores it, and %s merges it', async (create, update, idName, input) => {
    const made = await ask(create, { ...input(), metadata: { ours: '1', theirs: '2' } });
    expect([made.status, made.body.data?.metadata]).toEqual([201, { ours: '1', theirs: '2' }]);
    const record = { [idName]: made.body.data.id, ...(idName === 'unitId' && { propertyId: tenant.here }) };
    const change = async (metadata: object) => (await ask(update, { ...record, metadata })).body;
    expect((await change({ ours: '3', more: '' })).data.metadata).toEqual({ ours: '3', theirs: '2', more: '' });
    expect((await change({ ours: null, absent: null })).data.metadata).toEqual({ theirs: '2', more: '' });
    expect((await change({})).data.metadata).toEqual({ theirs: '2', more: '' });
    const many = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`key${n}`, 'x']));
    expect((await change(many)).error.details.issues[0].path).toEqual(['metadata']);
    expect((await ask(create, { ...input(), metadata: { none: null } })).status).toBe(400);
  });
});
