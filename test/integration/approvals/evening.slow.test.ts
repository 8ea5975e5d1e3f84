import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Api, Json } from '../../support/api.js';
import { Browser } from '../../../faults/page-client.js';
import { propertyOf, stayOf, unitOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { Mailbox } from '../../support/mailbox.js';
import { type OAuthWorld, openWorld } from '../../support/oauth-world.js';
import { otherThanShown, type Played, recordedIn } from '../../support/recording.js';
import { simulatorOf } from '../../support/simulator.js';
import { activeWorkflowOf } from '../../support/workflows.js';

/** The evening of docs/evenings.md on which an assistant needs approval and the owner undoes the change afterwards. */
let world: OAuthWorld;
let owner: Api;
beforeAll(async () => {
  world = await openWorld();
  const { key } = await world.ops(`api-key create --org ${world.lakeside} --name k --scopes *`);
  owner = world.rest(key as string);
});
afterAll(() => world.close());

const nameIn = async (path: string): Promise<Json> => (await owner.get(path)).body.data;

/** A stay with two tasks, an access code, and a workflow that writes to the guest when the stay is cancelled. */
async function bookedStay() {
  const propertyId = await propertyOf(owner, 'Casa Azul');
  const around = (event: string) => ({ start: { event, offsetMinutes: 0 }, end: { event, offsetMinutes: 60 } });
  const automaticTasks = [
    { name: 'Fill the fridge', type: 'other', timeRule: around('arrival') },
    { name: 'Clean up', type: 'cleaning', timeRule: around('departure') },
  ];
  expect((await owner.patch(`/properties/${propertyId}`, { automaticTasks })).status).toBe(200);
  const unitId = await unitOf(owner, propertyId, 'Lavender');
  const primaryGuest = { name: 'Grace Berg', email: 'grace@tests.example' };
  const { id } = await stayOf(owner, { propertyId, unitId, primaryGuest });
  const { devices } = await simulatorOf(owner);
  const deviceId = devices['sim-lock-1'];
  await owner.patch(`/devices/${deviceId}`, { propertyId, unitId });
  const code = { deviceId, name: 'Grace', type: 'time_bound', reservationId: id };
  expect((await owner.post('/access-codes', code)).status).toBe(201);
  const template = { name: 'Cancelled', subject: 'Your stay was cancelled', body: '<p>We are sorry.</p>' };
  const templateId = (await owner.post('/email-templates', template)).body.data.id as string;
  await owner.post(`/email-templates/${templateId}/publish`);
  await activeWorkflowOf(owner, {
    name: 'Say that it was cancelled',
    trigger: { kind: 'event', eventType: 'reservation.cancelled' },
    steps: [{ kind: 'send_email', templateId, to: 'guest' }],
  });
  const state = async () => {
    const tasks = (await owner.get(`/tasks?reservationId=${id}`)).body.data as Json[];
    const codes = (await owner.get(`/access-codes?reservationId=${id}`)).body.data as Json[];
    return {
      stay: (await nameIn(`/reservations/${id}`)).status as string,
      tasks: tasks.map(({ status }) => status as string),
      codes: codes.map(({ status }) => status as string),
    };
  };
  return { id: id as string, state };
}

it('an assistant asks to cancel a stay, its person sees all effects and approves, and the owner undoes it', async () => {
  const { id: reservationId, state } = await bookedStay();
  const before = await state();
  expect(before).toEqual({ stay: 'confirmed', tasks: ['pending', 'pending'], codes: ['scheduled'] });
  const person = await world.person();
  const scopes = ['reservations:read', 'reservations:write', 'offline_access'];
  const { access_token: token, client: application } = await world.tokensOf(person, {
    scopes,
    askBefore: 'destructive',
  });
  const client = new Client({ name: 'evening', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const headers = { authorization: `Bearer ${token}` };
  const address = new URL(`${world.service.url}/mcp?toolsets=core`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));

  const played: Played[] = [];
  const since = new Date().toISOString();
  const meta = {
    'property-operations/idempotencyKey': 'cancel-grace',
    'property-operations/reason': 'Grace wrote that her flight is cancelled.',
  };
  const cancel = async (): Promise<Json> => {
    const result = await client.callTool({ name: 'cancelReservation', arguments: { reservationId }, _meta: meta });
    return result.structuredContent as Json;
  };
  const { data: pending } = await cancel();
  played.push({ name: 'cancelReservation', given: { reservationId }, meta, result: pending });
  expect(pending).toMatchObject({ status: 'pending', operation: 'cancelReservation', summary: 'Cancel a stay' });
  // It may not read workflows, so it learns that one starts, but not which.
  const rehearsed = await world.rest(token).post(`/reservations/${reservationId}/cancel?dryRun=true`);
  expect(rehearsed.body.meta.warnings).toEqual(['Afterwards 1 workflow may start.']);
  expect(await state()).toEqual(before);

  const browser = new Browser(world.service.url);
  await browser.signIn(person.email, person.password);
  const { pathname } = new URL(pending.url as string);
  const page = await browser.get(pathname);
  for (const seen of [
    'Test Assistant',
    'Grace wrote that her flight is cancelled.',
    'Grace Berg, Lavender, 2030-07-01 to 2030-07-03',
    'A reservation would be cancelled.',
    'A task would be cancelled. (2) Fill the fridge',
    'Clean up',
    'An access code would be removed and no longer open the device. Grace ',
    'Afterwards the workflow “Say that it was cancelled” starts: an email to the guest.',
  ])
    expect(page.text).toContain(seen);
  await browser.submit(page, pathname, { decision: 'approve' });

  // The retry with the same key gets the stay, which is cancelled with everything that belongs to it.
  const { data: cancelled } = await until(cancel, ({ data }) => data?.status === 'cancelled');
  expect(cancelled).toMatchObject({ id: reservationId, status: 'cancelled' });
  played.push({ name: 'cancelReservation', given: { reservationId }, result: cancelled });
  const { tasks, codes } = await state();
  expect([tasks, codes.every((status) => ['removing', 'removed'].includes(status))]).toEqual([
    ['cancelled', 'cancelled'],
    true,
  ]);
  await new Mailbox(world.service.config.dataDir).latest('grace@tests.example', /Your stay was cancelled/);
  await client.close();

  // The owner undoes it.
  const asked = { applicationId: application.client_id, since };
  const { status, body } = await owner.post('/changes/undo', asked);
  expect([status, body.error?.details]).toEqual([200, undefined]);
  played.push({ name: 'undoChanges', given: asked, result: body.data });
  expect(otherThanShown(recordedIn('docs/evenings.md', 'A stay is cancelled and restored'), played)).toEqual([]);
  expect(body.data.notUndoable).toEqual([
    {
      auditEntryId: expect.stringMatching(/^audit_/),
      target: { type: 'approval', id: pending.id },
      reason: expect.stringMatching(/^A request for approval stays recorded\..* What was approved can be undone\.$/),
    },
    {
      auditEntryId: null,
      target: { type: 'message', id: expect.stringMatching(/^message_/) },
      reason: 'The workflow “Say that it was cancelled” has sent an email.',
    },
  ]);
  const after = await until(state, (one) => one.codes.some((status_) => ['scheduled', 'set'].includes(status_)));
  expect([after.stay, after.tasks]).toEqual(['confirmed', ['pending', 'pending']]);
}, 60_000);
