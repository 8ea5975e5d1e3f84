import { SystemDatabase } from '#system-database';
import { TenantDatabase } from '#persistence';
import type { Api, Json, Reply } from '../../support/api.js';
import { ApprovalsRepository } from '../../../src/auth/approvals/approvals.repository.js';
import { approvalRequested } from '../../../src/auth/approvals/approvals.events.js';
import { EventsService } from '../../../src/platform/events/events.service.js';
import { approvalOf } from '../../support/approvals.js';
import { memberOf } from '../../support/behind-the-api.js';
import { day, hotelOf } from '../../support/hotel.js';
import { keyWith, nightsFromToday, propertyOf, pushedBy, taskOf } from '../../support/factories.js';
import { simulatorOf } from '../../support/simulator.js';
import { roleNamed } from '../../support/people.js';
import type { Service } from '../../support/start-app.js';
import { activeWorkflowOf, hasEnded, moved, runWhen, workflowOf } from '../../support/workflows.js';

/** The service that scenes play in, and who asks it; a rehearsal is asked through another client. */
export const world = {} as { service: Service; api: Api };

/** Saves a record by reference, at a property where it is at one. */
const savingByRef = async (path: string, content: object): Promise<() => Promise<Reply>> => {
  const [connectionId, propertyId] = [await pushedBy(world.api), await propertyOf(world.api)];
  const place = ['guests', 'properties'].includes(path) ? {} : { propertyId };
  return () => world.api.put(`/connections/${connectionId}/${path}/1`, { ...place, ...content });
};

const savingInBulk = async (path: string, content: object): Promise<() => Promise<Reply>> => {
  const [connectionId, propertyId] = [await pushedBy(world.api), await propertyOf(world.api)];
  const place = ['guests', 'properties'].includes(path) ? {} : { propertyId };
  const items = [{ externalId: '1', ...place, ...content }];
  return () => world.api.post(`/connections/${connectionId}/${path}/bulk`, { items });
};

/** Asks for one operation, after what it needs has been made. */
export type Scene = () => Promise<() => Promise<Reply>>;

const made = async (path: string, body: object): Promise<string> => {
  const reply = await world.api.post(path, body);
  if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`);
  return reply.body.data.id as string;
};
const simulator = async (): Promise<object> => ({
  provider: 'simulator',
  kind: 'pms',
  name: 'Simulated',
  settings: { propertyId: await propertyOf(world.api) },
});
const connection = async (): Promise<string> => await made('/connections', await simulator());

const lock = async (): Promise<string> => (await simulatorOf(world.api)).devices['sim-lock-1'];
const accessCode = async (): Promise<string> =>
  await made('/access-codes', {
    deviceId: await lock(),
    name: 'Cleaners',
    type: 'ongoing',
    startsAt: '2040-01-01T00:00:00Z',
  });
const thermostat = async (): Promise<string> => (await simulatorOf(world.api)).devices['sim-thermostat-1'];

let people = 0;
const roleId = (): Promise<string> => roleNamed(world.service, 'viewer');
const member = async (): Promise<string> =>
  await made('/members', { email: `told-${(people += 1)}@tests.example`, roleId: await roleId() });
const machine = async (): Promise<string> =>
  (await world.api.post('/api-keys', { name: 'k', scopes: ['tasks:read'] })).body.data.memberId as string;
const role = (): Promise<string> => made('/roles', { name: `Role ${(people += 1)}`, permissions: ['tasks:read'] });
const stay = async (wishes: object = {}): Promise<string> =>
  await made('/reservations', {
    propertyId: await propertyOf(world.api),
    checkInDate: '2027-03-01',
    checkOutDate: '2027-03-05',
    ...wishes,
  });
const unitTypePath = async (): Promise<string> => {
  const path = `/properties/${await propertyOf(world.api)}/unit-types`;
  return `${path}/${await made(path, { name: 'Double' })}`;
};
const blockPath = async (): Promise<string> => {
  const { propertyId, rooms } = await hotelOf(world.api, { '': ['101'] });
  const path = `/properties/${propertyId}/unit-blocks`;
  return `${path}/${await made(path, { unitId: rooms['101'], from: '2031-01-01', kind: 'out_of_order' })}`;
};
const guide = (): Promise<string> => made('/guides', { name: 'Welcome', sourceLocale: 'en', locales: ['pt'] });
const ofGuide = (path: string) => (id: string) => `/guides/${id}${path}`;
/** A guide and a place in it, or its one translation, as a path. */
const placePath = async (): Promise<string> => {
  const guideId = await guide();
  return `/guides/${guideId}/places/${await made(`/guides/${guideId}/places`, { name: 'Café' })}`;
};
const translationPath = async (): Promise<string> => {
  const path = `/guides/${await guide()}/translations`;
  const { id } = (await world.api.get(path)).body.data[0] as Json;
  await world.api.patch(`${path}/${id}`, { text: 'Bem-vindos' });
  return `${path}/${id}`;
};
const endpoint = (): Promise<string> =>
  made('/webhook-endpoints', { url: 'https://93.184.215.14/', eventTypes: ['task.created'] });

const template = (): Promise<string> => made('/email-templates', { name: 'Welcome', subject: 'Hi', body: '<p>Hi</p>' });
const ofTemplate = (path: string) => (id: string) => `/email-templates/${id}${path}`;
/** A template whose second version is published. */
const republished = async (): Promise<string> => {
  const id = await template();
  await world.api.post(`/email-templates/${id}/publish`);
  await world.api.patch(`/email-templates/${id}`, { subject: 'Hello' });
  await world.api.post(`/email-templates/${id}/publish`);
  return id;
};
const suppression = (): Promise<string> => made('/suppressions', { email: `no-${(people += 1)}@tests.example` });

const ofWorkflow = (path: string) => (id: string) => `/workflows/${id}${path}`;
const ofRun = (path: string) => (id: string) => `/workflow-runs/${id}${path}`;
/** A workflow that people run, and that waits for a day. */
const waiting = (): Promise<string> =>
  activeWorkflowOf(world.api, { trigger: { kind: 'manual' }, steps: [{ kind: 'wait', minutes: 1_440 }] });
const waitingRun = async (): Promise<string> => {
  const id = await waiting();
  await world.api.post(`/workflows/${id}/run`);
  return (await runWhen(world.api, id, ({ status }) => status === 'waiting')).id as string;
};
/** A run that starts a task which is done. */
const failedRun = async (): Promise<string> => {
  const taskId = await taskOf(world.api);
  await world.api.post(`/tasks/${taskId}/complete`);
  const steps = [{ kind: 'operation', operation: 'startTask', input: { taskId } }];
  const id = await activeWorkflowOf(world.api, { trigger: { kind: 'manual' }, steps });
  await world.api.post(`/workflows/${id}/run`);
  return (await runWhen(world.api, id, hasEnded)).id as string;
};

/** A scene in which a path is posted to, once what it is about has been made. */
const posting =
  (make: () => Promise<string>, path: (id: string) => string, body?: object): Scene =>
  async () => {
    const id = await make();
    return () => world.api.post(path(id), body);
  };
const patching =
  (make: () => Promise<string>, path: (id: string) => string, body: object): Scene =>
  async () => {
    const id = await make();
    return () => world.api.patch(path(id), body);
  };
const deleting =
  (make: () => Promise<string>, path: (id: string) => string): Scene =>
  async () => {
    const id = await make();
    return () => world.api.delete(path(id));
  };
const after =
  (first: string, then: string, body?: object): Scene =>
  async () => {
    const id = await taskOf(world.api);
    await world.api.post(`/tasks/${id}/${first}`);
    return () => world.api.post(`/tasks/${id}/${then}`, body);
  };
const checkedIn = async (): Promise<string> => {
  const id = await stay();
  await world.api.post(`/reservations/${id}/check-in`, { early: true });
  return id;
};
/** A stay that somebody has done something to. */
const havingDone = async (make: () => Promise<string>, verb: string): Promise<string> => {
  const id = await make();
  await world.api.post(`/reservations/${id}/${verb}`);
  return id;
};
const due = (): Promise<string> => stay(nightsFromToday());

const task = (path: string) => (id: string) => `/tasks/${id}${path}`;
const ofStay = (path: string) => (id: string) => `/reservations/${id}${path}`;
const ofDevice = (path: string) => (id: string) => `/devices/${id}${path}`;
const ofCode = (path: string) => (id: string) => `/access-codes/${id}${path}`;
const ofProperty = (path: string) => (id: string) => `/properties/${id}${path}`;
const png = {
  fileName: 'a.png',
  contentType: 'image/png',
  content: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
};

/** Each operation that writes: the events that it writes, in order, and how it is asked for. */
export const scenes: Record<string, [string[], Scene]> = {
  addSuppression: [
    ['suppression.added'],
    () => {
      const email = `quiet-${(people += 1)}@tests.example`;
      return Promise.resolve(() => world.api.post('/suppressions', { email }));
    },
  ],
  archiveEmailTemplate: [['email_template.archived'], posting(template, ofTemplate('/archive'))],
  archiveDevice: [['device.archived'], posting(lock, ofDevice('/archive'))],
  addPlace: [['place.added'], posting(guide, ofGuide('/places'), { name: 'Café' })],
  approveTranslation: [['translation.approved'], posting(translationPath, (path) => `${path}/approve`)],
  archiveGuide: [['guide.archived'], posting(guide, ofGuide('/archive'))],
  editTranslation: [['translation.edited'], patching(translationPath, (path) => path, { text: 'Olá' })],
  editTranslations: [
    ['translation.edited'],
    async () => {
      const path = await translationPath();
      const texts = [{ translationId: path.split('/').at(-1), text: 'Olá' }];
      return () => world.api.post(path.replace(/[^/]+$/, 'bulk'), { texts });
    },
  ],
  hidePlace: [['place.hidden'], deleting(placePath, (path) => path)],
  publishGuide: [['guide.published'], posting(guide, ofGuide('/publish'), { force: true })],
  saveGuide: [
    ['guide.saved'],
    () => Promise.resolve(() => world.api.post('/guides', { name: 'Welcome', sourceLocale: 'en' })),
  ],
  updateGuide: [['guide.updated'], patching(guide, ofGuide(''), { name: 'Hello' })],
  updatePlace: [['place.updated'], patching(placePath, (path) => path, { note: 'Good cake' })],
  archiveProperty: [['property.archived'], posting(() => propertyOf(world.api), ofProperty('/archive'))],
  archiveTask: [['task.archived'], posting(() => taskOf(world.api), task('/archive'))],
  archiveWorkflow: [['workflow.archived'], posting(() => workflowOf(world.api), ofWorkflow('/archive'))],
  activateWorkflow: [['workflow.activated'], posting(() => workflowOf(world.api), ofWorkflow('/activate'))],
  archiveUnit: [
    ['unit.archived'],
    async () => {
      const propertyId = await propertyOf(world.api);
      const unitId = await made(`/properties/${propertyId}/units`, { name: 'A' });
      return () => world.api.post(`/properties/${propertyId}/units/${unitId}/archive`);
    },
  ],
  archiveUnitType: [
    ['unit_type.archived'],
    async () => {
      const path = await unitTypePath();
      return () => world.api.post(`${path}/archive`);
    },
  ],
  assignUnit: [
    ['reservation.unit_assigned'],
    async () => {
      const { rooms, stay: book } = await hotelOf(world.api, { Double: ['101'] });
      const { id } = await book(1, 3, 'Double');
      return () => world.api.post(`/reservations/${id}/assign-unit`, { unitId: rooms['101'] });
    },
  ],
  assignUnits: [
    ['reservation.unit_assigned'],
    async () => {
      const { propertyId, stay: book } = await hotelOf(world.api, { Double: ['101'] });
      await book(1, 3, 'Double');
      return () => world.api.post(`/properties/${propertyId}/assign-units`, { date: day(1) });
    },
  ],
  unassignUnit: [
    ['reservation.unit_unassigned'],
    async () => {
      const { id } = await (await hotelOf(world.api, { Double: ['101'] })).stay(1, 3, '101');
      return () => world.api.post(`/reservations/${id}/unassign-unit`);
    },
  ],
  createUnitBlock: [
    ['unit_block.created'],
    posting(() => propertyOf(world.api), ofProperty('/unit-blocks'), { from: '2031-01-01', kind: 'owner_use' }),
  ],
  updateUnitBlock: [
    ['unit_block.updated'],
    async () => {
      const path = await blockPath();
      return () => world.api.patch(path, { until: '2031-02-01' });
    },
  ],
  endUnitBlock: [
    ['unit_block.ended', 'unit.status_set'],
    async () => {
      const path = await blockPath();
      return () => world.api.post(`${path}/end`);
    },
  ],
  assignTask: [
    ['task.assigned'],
    async () => {
      const [id, memberId] = [await taskOf(world.api), await machine()];
      return () => world.api.post(`/tasks/${id}/assign`, { assigneeIds: [memberId] });
    },
  ],
  removeAttachment: [
    ['task.file_removed'],
    async () => {
      const taskId = await taskOf(world.api);
      const { attachments } = (await world.api.post(`/tasks/${taskId}/attachments`, png)).body.data;
      return () => world.api.delete(`/tasks/${taskId}/attachments/${attachments[0].id}`);
    },
  ],
  attachToTask: [['task.file_attached'], posting(() => taskOf(world.api), task('/attachments'), png)],
  cancelReservation: [['reservation.cancelled'], posting(() => stay(), ofStay('/cancel'))],
  cancelWorkflowRun: [['workflow_run.cancelled'], posting(waitingRun, ofRun('/cancel'))],
  cancelTask: [['task.cancelled'], posting(() => taskOf(world.api), task('/cancel'))],
  changeTasksInBulk: [
    ['task.started', 'task.started'],
    async () => {
      const taskIds = [await taskOf(world.api), await taskOf(world.api)];
      return () => world.api.post('/tasks/bulk', { taskIds, action: 'start' });
    },
  ],
  checkInReservation: [['reservation.checked_in'], posting(() => stay(), ofStay('/check-in'), { early: true })],
  checkOutReservation: [['reservation.checked_out', 'property.status_set'], posting(checkedIn, ofStay('/check-out'))],
  commentOnTask: [['task.commented'], posting(() => taskOf(world.api), task('/comments'), { text: 'Done soon' })],
  completeTask: [['task.completed'], posting(() => taskOf(world.api), task('/complete'))],
  createAccessCode: [
    ['access_code.created'],
    async () => {
      const code = { deviceId: await lock(), name: 'Cleaners', type: 'ongoing', startsAt: '2040-01-01T00:00:00Z' };
      return () => world.api.post('/access-codes', code);
    },
  ],
  ...Object.fromEntries(
    Object.entries({
      saveGuestByRef: ['guest.created', 'guests', { name: 'Quentin' }],
      savePropertyByRef: ['property.created', 'properties', { name: 'House', timezone: 'UTC' }],
      saveUnitTypeByRef: ['unit_type.created', 'unit-types', { name: 'Double' }],
      saveUnitByRef: ['unit.created', 'units', { name: '101' }],
      saveReservationByRef: ['reservation.created', 'reservations', nightsFromToday()],
    } as Record<string, [string, string, object]>).map(([name, [type, path, content]]): [string, [string[], Scene]] => [
      name,
      [[type], () => savingByRef(path, content)],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({
      saveGuestsInBulk: ['guest.created', 'guests', { name: 'Quentin' }],
      savePropertiesInBulk: ['property.created', 'properties', { name: 'House', timezone: 'UTC' }],
      saveUnitTypesInBulk: ['unit_type.created', 'unit-types', { name: 'Double' }],
      saveUnitsInBulk: ['unit.created', 'units', { name: '101' }],
      saveReservationsInBulk: ['reservation.created', 'reservations', nightsFromToday()],
    } as Record<string, [string, string, object]>).map(([name, [type, path, content]]): [string, [string[], Scene]] => [
      name,
      [[type], () => savingInBulk(path, content)],
    ]),
  ),
  cancelReservationByRef: [
    ['reservation.cancelled'],
    async () => {
      const save = await savingByRef('reservations', nightsFromToday());
      const { id } = (await save()).body.data;
      const [{ connectionId, externalId }] = (await world.api.get(`/reservations/${id}`)).body.data
        .externalRefs as Json[];
      return () => world.api.delete(`/connections/${connectionId}/reservations/${externalId}`);
    },
  ],
  createConnection: [
    ['connection.created', 'connection.synced'],
    async () => {
      const wishes = await simulator();
      return () => world.api.post('/connections', wishes);
    },
  ],
  createApiKey: [
    ['member.added', 'api_key.created'],
    () => Promise.resolve(() => world.api.post('/api-keys', { name: 'k', scopes: ['tasks:read'] })),
  ],
  createGuest: [['guest.created'], () => Promise.resolve(() => world.api.post('/guests', { name: 'Quentin' }))],
  createProperty: [
    ['property.created'],
    () => Promise.resolve(() => world.api.post('/properties', { name: 'House', timezone: 'UTC' })),
  ],
  createReservation: [
    ['guest.created', 'reservation.created'],
    async () => {
      const stayed = { propertyId: await propertyOf(world.api), checkInDate: '2027-01-01', checkOutDate: '2027-01-02' };
      return () => world.api.post('/reservations', { ...stayed, primaryGuest: { name: 'Quentin' } });
    },
  ],
  createRole: [
    ['role.created'],
    () => {
      const name = `Made ${(people += 1)}`;
      return Promise.resolve(() => world.api.post('/roles', { name, permissions: ['tasks:read'] }));
    },
  ],
  createTask: [['task.created'], () => Promise.resolve(() => world.api.post('/tasks', { name: 'Sweep' }))],
  createUnit: [['unit.created'], posting(() => propertyOf(world.api), ofProperty('/units'), { name: 'A' })],
  createUnitType: [
    ['unit_type.created'],
    posting(() => propertyOf(world.api), ofProperty('/unit-types'), { name: 'Double' }),
  ],
  createWebhookEndpoint: [
    ['webhook_endpoint.created'],
    () =>
      Promise.resolve(() =>
        world.api.post('/webhook-endpoints', { url: 'https://93.184.215.14/', eventTypes: ['task.created'] }),
      ),
  ],
  deleteRole: [['role.deleted'], deleting(role, (id) => `/roles/${id}`)],
  deleteWebhookEndpoint: [['webhook_endpoint.deleted'], deleting(endpoint, (id) => `/webhook-endpoints/${id}`)],
  disconnectConnection: [['connection.disconnected'], posting(connection, (id) => `/connections/${id}/disconnect`)],
  eraseGuest: [
    ['reservation.updated', 'guest.erased'],
    async () => {
      const id = await made('/guests', { name: 'Quentin', notes: 'Quite tall' });
      await stay({ primaryGuest: { id } });
      return () => world.api.delete(`/guests/${id}`);
    },
  ],
  resendInvitation: [
    ['member.invited_again'],
    async () => {
      const id = await member();
      await world.service.app
        .get(SystemDatabase)
        .rows(`update mailed_links set created_at = created_at - interval '2 hours'`, []);
      return () => world.api.post(`/members/${id}/resend-invitation`);
    },
  ],
  inviteMember: [
    ['member.invited'],
    async () => {
      const invitation = { email: `invited-${(people += 1)}@tests.example`, roleId: await roleId() };
      return () => world.api.post('/members', invitation);
    },
  ],
  lockDevice: [['device_command.requested', 'device_command.succeeded'], posting(lock, ofDevice('/lock'))],
  markNoShow: [['reservation.no_show_marked'], posting(due, ofStay('/no-show'))],
  mergeGuests: [
    ['reservation.updated', 'guest.updated', 'guest.merged'],
    async () => {
      const [id, fromGuestId] = [
        await made('/guests', { name: 'Ana' }),
        await made('/guests', { name: 'A', phone: '1' }),
      ];
      await stay({ primaryGuest: { id: fromGuestId } });
      return () => world.api.post(`/guests/${id}/merge`, { fromGuestId });
    },
  ],
  moveReservation: [
    ['reservation.moved'],
    posting(() => stay(), ofStay('/move'), { checkInDate: '2027-04-01', checkOutDate: '2027-04-03' }),
  ],
  pauseWorkflow: [['workflow.paused'], posting(waiting, ofWorkflow('/pause'))],
  publishEmailTemplate: [['email_template.published'], posting(template, ofTemplate('/publish'))],
  regenerateAccessCode: [['access_code.updated'], posting(accessCode, ofCode('/regenerate'))],
  reinstateMember: [
    ['member.reinstated'],
    async () => {
      const id = await machine();
      await world.api.post(`/members/${id}/suspend`);
      return () => world.api.post(`/members/${id}/reinstate`);
    },
  ],
  removeAccessCode: [['access_code.removed'], deleting(accessCode, ofCode(''))],
  removeMember: [['member.removed'], deleting(member, (id) => `/members/${id}`)],
  removeSuppression: [['suppression.removed'], deleting(suppression, (id) => `/suppressions/${id}`)],
  reopenTask: [['task.reopened'], after('complete', 'reopen')],
  restoreDevice: [
    ['device.restored'],
    async () => {
      const id = await lock();
      await world.api.post(`/devices/${id}/archive`);
      return () => world.api.post(`/devices/${id}/restore`);
    },
  ],
  restoreProperty: [
    ['property.restored'],
    async () => {
      const id = await propertyOf(world.api);
      await world.api.post(`/properties/${id}/archive`);
      return () => world.api.post(`/properties/${id}/restore`);
    },
  ],
  restoreTask: [['task.restored'], after('archive', 'restore')],
  restoreUnit: [
    ['unit.restored'],
    async () => {
      const propertyId = await propertyOf(world.api);
      const path = `/properties/${propertyId}/units/${await made(`/properties/${propertyId}/units`, { name: 'A' })}`;
      await world.api.post(`${path}/archive`);
      return () => world.api.post(`${path}/restore`);
    },
  ],
  retryWorkflowRun: [['workflow_run.retried'], posting(failedRun, ofRun('/retry'))],
  runWorkflow: [['workflow_run.created'], posting(waiting, ofWorkflow('/run'))],
  saveWorkflow: [['workflow.created'], () => Promise.resolve(() => world.api.post('/workflows', moved()))],
  revokeApiKey: [
    ['api_key.revoked'],
    posting(
      async () => (await keyWith(world.api)).id,
      (id) => `/api-keys/${id}/revoke`,
    ),
  ],
  rollBackEmailTemplate: [['email_template.rolled_back'], posting(republished, ofTemplate('/roll-back'))],
  rotateApiKey: [
    ['api_key.rotated', 'api_key.created'],
    posting(
      async () => (await keyWith(world.api)).id,
      (id) => `/api-keys/${id}/rotate`,
    ),
  ],
  rotateCalendarFeed: [
    ['property.calendar_feed_rotated'],
    posting(() => propertyOf(world.api), ofProperty('/calendar-feed/rotate')),
  ],
  rotateWebhookSecret: [
    ['webhook_endpoint.secret_rotated'],
    posting(endpoint, (id) => `/webhook-endpoints/${id}/rotate-secret`),
  ],
  saveEmailTemplate: [
    ['email_template.created'],
    () =>
      Promise.resolve(() => world.api.post('/email-templates', { name: 'Welcome', subject: 'Hi', body: '<p>Hi</p>' })),
  ],
  sendTestEmail: [
    ['message.queued'],
    async () => {
      const [id, memberId] = [await template(), await memberOf(world.service, { email: 'tester@tests.example' })];
      return () => world.api.post(`/email-templates/${id}/test-send`, { memberId });
    },
  ],
  setPropertyStatus: [
    ['property.status_set'],
    posting(() => propertyOf(world.api), ofProperty('/status'), { cleaningStatus: 'dirty' }),
  ],
  setUnitStatus: [
    ['unit.status_set'],
    async () => {
      const propertyId = await propertyOf(world.api);
      const unitId = await made(`/properties/${propertyId}/units`, { name: 'A' });
      return () => world.api.post(`/properties/${propertyId}/units/${unitId}/status`, { doNotDisturb: true });
    },
  ],
  withdrawApproval: [
    ['approval.decided'],
    async () => {
      const row = await approvalOf({ ...world, orgId: (await world.api.get('/organization')).body.data.id as string });
      await world.service.app.get(TenantDatabase).transaction(row.orgId, async () => {
        await world.service.app.get(ApprovalsRepository).insert(row);
        world.service.app.get(EventsService).record(row, approvalRequested, row);
      });
      return () => world.api.post(`/approvals/${row.id}/withdraw`);
    },
  ],
  startTask: [['task.started'], posting(() => taskOf(world.api), task('/start'))],
  syncConnection: [['connection.synced'], posting(connection, (id) => `/connections/${id}/sync`)],
  setDeviceMode: [
    ['device_command.requested', 'device_command.succeeded', 'device.state_changed'],
    posting(thermostat, ofDevice('/mode'), { mode: 'cool' }),
  ],
  setDeviceTemperature: [
    ['device_command.requested', 'device_command.succeeded', 'device.state_changed'],
    posting(thermostat, ofDevice('/temperature'), { temperature: 21 }),
  ],
  suspendMember: [['member.suspended'], posting(machine, (id) => `/members/${id}/suspend`)],
  testConnection: [['connection.tested'], posting(connection, (id) => `/connections/${id}/test`)],
  testWebhookEndpoint: [['webhook_endpoint.tested'], posting(endpoint, (id) => `/webhook-endpoints/${id}/test`)],
  reinstateReservation: [
    ['reservation.reinstated'],
    posting(() => havingDone(() => stay(), 'cancel'), ofStay('/reinstate')),
  ],
  undoCheckOut: [
    ['reservation.check_out_undone'],
    posting(() => havingDone(checkedIn, 'check-out'), ofStay('/undo-check-out')),
  ],
  undoNoShow: [['reservation.no_show_undone'], posting(() => havingDone(due, 'no-show'), ofStay('/undo-no-show'))],
  undoCheckIn: [['reservation.check_in_undone'], posting(checkedIn, ofStay('/undo-check-in'))],
  unlockDevice: [
    ['device_command.requested', 'device_command.succeeded', 'device.state_changed'],
    posting(lock, ofDevice('/unlock')),
  ],
  undoChanges: [
    ['task.updated'],
    async () => {
      const { body } = await world.api.post(`/tasks/${await taskOf(world.api)}/start`);
      return () => world.api.post('/changes/undo', { requestId: body.meta.requestId });
    },
  ],
  updateAccessCode: [['access_code.updated'], patching(accessCode, ofCode(''), { name: 'Gardeners' })],
  updateConnection: [['connection.updated'], patching(connection, (id) => `/connections/${id}`, { name: 'Other' })],
  updateEmailTemplate: [['email_template.updated'], patching(template, ofTemplate(''), { subject: 'Hello' })],
  updateDevice: [['device.updated'], patching(lock, ofDevice(''), { name: 'Cellar' })],
  updateGuest: [
    ['guest.updated'],
    patching(
      () => made('/guests', { name: 'Quentin' }),
      (id) => `/guests/${id}`,
      { phone: '+351 555 0100' },
    ),
  ],
  updateMember: [['member.updated'], patching(member, (id) => `/members/${id}`, { name: 'Other' })],
  updateOrganization: [
    ['organization.updated'],
    () => {
      const name = `Lakeside Stays ${(people += 1)}`;
      return Promise.resolve(() => world.api.patch('/organization', { name }));
    },
  ],
  updateProperty: [
    ['property.updated', 'reservation.updated', 'property.times_changed'],
    async () => {
      const propertyId = await propertyOf(world.api);
      await stay({ propertyId });
      return () => world.api.patch(`/properties/${propertyId}`, { checkInTime: '16:00' });
    },
  ],
  updateReservation: [['reservation.updated'], patching(() => stay(), ofStay(''), { notes: 'Quentin likes tea' })],
  updateRole: [['role.updated'], patching(role, (id) => `/roles/${id}`, { permissions: ['guests:read'] })],
  updateTask: [['task.updated'], patching(() => taskOf(world.api), task(''), { priority: 'low' })],
  updateUnit: [
    ['unit.updated'],
    async () => {
      const propertyId = await propertyOf(world.api);
      const unitId = await made(`/properties/${propertyId}/units`, { name: 'A' });
      return () => world.api.patch(`/properties/${propertyId}/units/${unitId}`, { name: 'B' });
    },
  ],
  updateUnitType: [
    ['unit_type.updated'],
    async () => {
      const path = await unitTypePath();
      return () => world.api.patch(path, { name: 'Twin' });
    },
  ],
  updateWorkflow: [['workflow.updated'], patching(() => workflowOf(world.api), ofWorkflow(''), { name: 'Other' })],
  updateWebhookEndpoint: [
    ['webhook_endpoint.updated'],
    patching(endpoint, (id) => `/webhook-endpoints/${id}`, { description: 'Board' }),
  ],
};

/** A property with a turnover after each stay, a stay there, a code of the stay, and a second unit's stay beside it. */
const workedAt = async (): Promise<{ propertyId: string; stayId: string }> => {
  const start = { event: 'departure', offsetMinutes: 0 };
  const automaticTasks = [{ name: 'Turnover', type: 'cleaning', timeRule: { start, end: start } }];
  const propertyId = await made('/properties', { name: 'Loft', timezone: 'UTC', automaticTasks });
  const stayId = await stay({ propertyId });
  const deviceId = await lock();
  await world.api.patch(`/devices/${deviceId}`, { propertyId });
  await made('/access-codes', { deviceId, name: 'Guest', type: 'time_bound', reservationId: stayId });
  return { propertyId, stayId };
};

/** What else changes with a record: the kinds of all records in the trail, and how to read them. */
export const consequences: Record<string, [string[], Scene]> = {
  moveReservation: [
    ['access_code', 'reservation', 'task'],
    async () => {
      const { stayId } = await workedAt();
      return () =>
        world.api.post(`/reservations/${stayId}/move`, { checkInDate: '2027-04-01', checkOutDate: '2027-04-03' });
    },
  ],
  cancelReservation: [
    ['access_code', 'reservation', 'task'],
    async () => {
      const { stayId } = await workedAt();
      return () => world.api.post(`/reservations/${stayId}/cancel`);
    },
  ],
  updateProperty: [
    ['access_code', 'property', 'reservation', 'task'],
    async () => {
      const { propertyId } = await workedAt();
      return () => world.api.patch(`/properties/${propertyId}`, { timezone: 'Europe/Athens', checkOutTime: '10:00' });
    },
  ],
  eraseGuest: [
    ['guest', 'reservation'],
    async () => {
      const id = await made('/guests', { name: 'Quentin' });
      await stay({ primaryGuest: { id } });
      return () => world.api.delete(`/guests/${id}`);
    },
  ],
  archiveWorkflow: [
    ['workflow', 'workflow_run'],
    async () => {
      const id = await waiting();
      await world.api.post(`/workflows/${id}/run`);
      await runWhen(world.api, id, ({ status }) => status === 'waiting');
      return () => world.api.post(`/workflows/${id}/archive`);
    },
  ],
  disconnectConnection: [
    ['connection', 'device', 'device', 'device'],
    async () => {
      const { connectionId } = await simulatorOf(world.api);
      return () => world.api.post(`/connections/${connectionId}/disconnect`);
    },
  ],
};

const sceneOf = (name: string): Scene => (scenes[name] as [string[], Scene])[1];
/** Writes that find the record as they want it when they are asked for a second time. */
export const repeated: Record<string, Scene> = {
  ...Object.fromEntries(
    [
      'archiveDevice',
      'archiveEmailTemplate',
      'archiveGuide',
      'archiveProperty',
      'archiveTask',
      'archiveUnit',
      'archiveUnitType',
      'archiveWorkflow',
      'assignTask',
      'editTranslations',
      'approveTranslation',
      'disconnectConnection',
      'endUnitBlock',
      'hidePlace',
      'moveReservation',
      'pauseWorkflow',
      'publishEmailTemplate',
      'restoreDevice',
      'restoreProperty',
      'restoreTask',
      'restoreUnit',
      'revokeApiKey',
      'setPropertyStatus',
      'setUnitStatus',
    ].map((name) => [name, sceneOf(name)]),
  ),
  'updateProperty with a wifi': patching(() => propertyOf(world.api), ofProperty(''), {
    wifi: { networkName: 'Lake', password: 'only-for-guests' },
  }),
  'updateAccessCode with digits': patching(accessCode, ofCode(''), { code: '482913' }),
};
