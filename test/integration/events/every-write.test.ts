import { SystemDatabase } from '#system-database';
import { readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Catalogue, fieldsOf, type Operation } from '#operations';
import { TenantDatabase } from '#persistence';
import { eventTypes } from '../../../src/platform/events/event-type.js';
import type { Api, Json, Reply } from '../../support/api.js';
import { rowsOf } from '../../support/dump.js';
import { ApprovalsRepository } from '../../../src/auth/approvals/approvals.repository.js';
import { approvalRequested } from '../../../src/auth/approvals/approvals.events.js';
import { EventsService } from '../../../src/platform/events/events.service.js';
import { RequestLog } from '../../../src/platform/requests/request-log.service.js';
import { approvalOf } from '../../support/approvals.js';
import { feedSettled } from '../../support/feed.js';
import { expectedImages, imagesOf, readable } from '../../support/images.js';
import { readRecord, type Subject } from '../../support/records.js';
import { sampled } from '../../support/sampled.js';
import { memberOf } from '../../support/behind-the-api.js';
import { day, hotelOf } from '../../support/hotel.js';
import { keyWith, nightsFromToday, propertyOf, pushedBy, taskOf } from '../../support/factories.js';
import { simulatorOf } from '../../support/simulator.js';
import { roleNamed } from '../../support/people.js';
import { type Service, startApp } from '../../support/start-app.js';
import { activeWorkflowOf, hasEnded, moved, runWhen, workflowOf } from '../../support/workflows.js';

let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startApp();
  api = (await keyWith(service.api)).api;
});
afterAll(() => service.close());

/** Operations that write without an event, each with its reason. */
const silent: Record<string, string> = {
  create_email_template: 'tells model_job.created, of a job that needs a model: test/integration/templates',
  modify_email_template: 'tells model_job.created, of a job that needs a model: test/integration/templates',
  cancelModelJob: 'tells model_job.cancelled, of a job that needs a model: test/integration/models',
  importGuidePlace: 'tells model_job.created and place.added, and needs a model: test/integration/guides',
  initializeLanguageTranslations: 'tells guide.translated, and needs a model: test/integration/guides',
  modify_workflow: 'tells model_job.created and workflow.updated, and needs a model: test/integration/workflows',
  create_workflow: 'tells model_job.created and workflow.created, and needs a model: test/integration/workflows',
  retranslateGuideText: 'tells guide.translated, and needs a model: test/integration/guides',
  revokeApplication: 'tells application.revoked, of an approval that needs the consent pages',
  replayWebhookDeliveries: 'sends events again; no record changes',
};

/** Saves a record by reference, at a property where it is at one. */
const savingByRef = async (path: string, content: object): Promise<() => Promise<Reply>> => {
  const [connectionId, propertyId] = [await pushedBy(api), await propertyOf(api)];
  const place = ['guests', 'properties'].includes(path) ? {} : { propertyId };
  return () => api.put(`/connections/${connectionId}/${path}/1`, { ...place, ...content });
};

const savingInBulk = async (path: string, content: object): Promise<() => Promise<Reply>> => {
  const [connectionId, propertyId] = [await pushedBy(api), await propertyOf(api)];
  const place = ['guests', 'properties'].includes(path) ? {} : { propertyId };
  const items = [{ externalId: '1', ...place, ...content }];
  return () => api.post(`/connections/${connectionId}/${path}/bulk`, { items });
};

/** Asks for one operation, after what it needs has been made. */
type Scene = () => Promise<() => Promise<Reply>>;

const made = async (path: string, body: object): Promise<string> => {
  const reply = await api.post(path, body);
  if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`);
  return reply.body.data.id as string;
};
const simulator = async (): Promise<object> => ({
  provider: 'simulator',
  kind: 'pms',
  name: 'Simulated',
  settings: { propertyId: await propertyOf(api) },
});
const connection = async (): Promise<string> => await made('/connections', await simulator());

const lock = async (): Promise<string> => (await simulatorOf(api)).devices['sim-lock-1'];
const accessCode = async (): Promise<string> =>
  await made('/access-codes', {
    deviceId: await lock(),
    name: 'Cleaners',
    type: 'ongoing',
    startsAt: '2040-01-01T00:00:00Z',
  });
const thermostat = async (): Promise<string> => (await simulatorOf(api)).devices['sim-thermostat-1'];

let people = 0;
const roleId = (): Promise<string> => roleNamed(service, 'viewer');
const member = async (): Promise<string> =>
  await made('/members', { email: `told-${(people += 1)}@tests.example`, roleId: await roleId() });
const machine = async (): Promise<string> =>
  (await api.post('/api-keys', { name: 'k', scopes: ['tasks:read'] })).body.data.memberId as string;
const role = (): Promise<string> => made('/roles', { name: `Role ${(people += 1)}`, permissions: ['tasks:read'] });
const stay = async (wishes: object = {}): Promise<string> =>
  await made('/reservations', {
    propertyId: await propertyOf(api),
    checkInDate: '2027-03-01',
    checkOutDate: '2027-03-05',
    ...wishes,
  });
const unitTypePath = async (): Promise<string> => {
  const path = `/properties/${await propertyOf(api)}/unit-types`;
  return `${path}/${await made(path, { name: 'Double' })}`;
};
const blockPath = async (): Promise<string> => {
  const { propertyId, rooms } = await hotelOf(api, { '': ['101'] });
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
  const { id } = (await api.get(path)).body.data[0] as Json;
  await api.patch(`${path}/${id}`, { text: 'Bem-vindos' });
  return `${path}/${id}`;
};
const endpoint = (): Promise<string> =>
  made('/webhook-endpoints', { url: 'https://93.184.215.14/', eventTypes: ['task.created'] });

const template = (): Promise<string> => made('/email-templates', { name: 'Welcome', subject: 'Hi', body: '<p>Hi</p>' });
const ofTemplate = (path: string) => (id: string) => `/email-templates/${id}${path}`;
/** A template whose second version is published. */
const republished = async (): Promise<string> => {
  const id = await template();
  await api.post(`/email-templates/${id}/publish`);
  await api.patch(`/email-templates/${id}`, { subject: 'Hello' });
  await api.post(`/email-templates/${id}/publish`);
  return id;
};
const suppression = (): Promise<string> => made('/suppressions', { email: `no-${(people += 1)}@tests.example` });

const ofWorkflow = (path: string) => (id: string) => `/workflows/${id}${path}`;
const ofRun = (path: string) => (id: string) => `/workflow-runs/${id}${path}`;
/** A workflow that people run, and that waits for a day. */
const waiting = (): Promise<string> =>
  activeWorkflowOf(api, { trigger: { kind: 'manual' }, steps: [{ kind: 'wait', minutes: 1_440 }] });
const waitingRun = async (): Promise<string> => {
  const id = await waiting();
  await api.post(`/workflows/${id}/run`);
  return (await runWhen(api, id, ({ status }) => status === 'waiting')).id as string;
};
/** A run that starts a task which is done. */
const failedRun = async (): Promise<string> => {
  const taskId = await taskOf(api);
  await api.post(`/tasks/${taskId}/complete`);
  const steps = [{ kind: 'operation', operation: 'startTask', input: { taskId } }];
  const id = await activeWorkflowOf(api, { trigger: { kind: 'manual' }, steps });
  await api.post(`/workflows/${id}/run`);
  return (await runWhen(api, id, hasEnded)).id as string;
};

/** A scene in which a path is posted to, once what it is about has been made. */
const posting =
  (make: () => Promise<string>, path: (id: string) => string, body?: object): Scene =>
  async () => {
    const id = await make();
    return () => api.post(path(id), body);
  };
const patching =
  (make: () => Promise<string>, path: (id: string) => string, body: object): Scene =>
  async () => {
    const id = await make();
    return () => api.patch(path(id), body);
  };
const deleting =
  (make: () => Promise<string>, path: (id: string) => string): Scene =>
  async () => {
    const id = await make();
    return () => api.delete(path(id));
  };
const after =
  (first: string, then: string, body?: object): Scene =>
  async () => {
    const id = await taskOf(api);
    await api.post(`/tasks/${id}/${first}`);
    return () => api.post(`/tasks/${id}/${then}`, body);
  };
const checkedIn = async (): Promise<string> => {
  const id = await stay();
  await api.post(`/reservations/${id}/check-in`, { early: true });
  return id;
};
/** A stay that somebody has done something to. */
const havingDone = async (make: () => Promise<string>, verb: string): Promise<string> => {
  const id = await make();
  await api.post(`/reservations/${id}/${verb}`);
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
const scenes: Record<string, [string[], Scene]> = {
  addSuppression: [
    ['suppression.added'],
    () => {
      const email = `quiet-${(people += 1)}@tests.example`;
      return Promise.resolve(() => api.post('/suppressions', { email }));
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
      return () => api.post(path.replace(/[^/]+$/, 'bulk'), { texts });
    },
  ],
  hidePlace: [['place.hidden'], deleting(placePath, (path) => path)],
  publishGuide: [['guide.published'], posting(guide, ofGuide('/publish'), { force: true })],
  saveGuide: [
    ['guide.saved'],
    () => Promise.resolve(() => api.post('/guides', { name: 'Welcome', sourceLocale: 'en' })),
  ],
  updateGuide: [['guide.updated'], patching(guide, ofGuide(''), { name: 'Hello' })],
  updatePlace: [['place.updated'], patching(placePath, (path) => path, { note: 'Good cake' })],
  archiveProperty: [['property.archived'], posting(() => propertyOf(api), ofProperty('/archive'))],
  archiveTask: [['task.archived'], posting(() => taskOf(api), task('/archive'))],
  archiveWorkflow: [['workflow.archived'], posting(() => workflowOf(api), ofWorkflow('/archive'))],
  activateWorkflow: [['workflow.activated'], posting(() => workflowOf(api), ofWorkflow('/activate'))],
  archiveUnit: [
    ['unit.archived'],
    async () => {
      const propertyId = await propertyOf(api);
      const unitId = await made(`/properties/${propertyId}/units`, { name: 'A' });
      return () => api.post(`/properties/${propertyId}/units/${unitId}/archive`);
    },
  ],
  archiveUnitType: [
    ['unit_type.archived'],
    async () => {
      const path = await unitTypePath();
      return () => api.post(`${path}/archive`);
    },
  ],
  assignUnit: [
    ['reservation.unit_assigned'],
    async () => {
      const { rooms, stay: book } = await hotelOf(api, { Double: ['101'] });
      const { id } = await book(1, 3, 'Double');
      return () => api.post(`/reservations/${id}/assign-unit`, { unitId: rooms['101'] });
    },
  ],
  assignUnits: [
    ['reservation.unit_assigned'],
    async () => {
      const { propertyId, stay: book } = await hotelOf(api, { Double: ['101'] });
      await book(1, 3, 'Double');
      return () => api.post(`/properties/${propertyId}/assign-units`, { date: day(1) });
    },
  ],
  unassignUnit: [
    ['reservation.unit_unassigned'],
    async () => {
      const { id } = await (await hotelOf(api, { Double: ['101'] })).stay(1, 3, '101');
      return () => api.post(`/reservations/${id}/unassign-unit`);
    },
  ],
  createUnitBlock: [
    ['unit_block.created'],
    posting(() => propertyOf(api), ofProperty('/unit-blocks'), { from: '2031-01-01', kind: 'owner_use' }),
  ],
  updateUnitBlock: [
    ['unit_block.updated'],
    async () => {
      const path = await blockPath();
      return () => api.patch(path, { until: '2031-02-01' });
    },
  ],
  endUnitBlock: [
    ['unit_block.ended', 'unit.status_set'],
    async () => {
      const path = await blockPath();
      return () => api.post(`${path}/end`);
    },
  ],
  assignTask: [
    ['task.assigned'],
    async () => {
      const [id, memberId] = [await taskOf(api), await machine()];
      return () => api.post(`/tasks/${id}/assign`, { assigneeIds: [memberId] });
    },
  ],
  removeAttachment: [
    ['task.file_removed'],
    async () => {
      const taskId = await taskOf(api);
      const { attachments } = (await api.post(`/tasks/${taskId}/attachments`, png)).body.data;
      return () => api.delete(`/tasks/${taskId}/attachments/${attachments[0].id}`);
    },
  ],
  attachToTask: [['task.file_attached'], posting(() => taskOf(api), task('/attachments'), png)],
  cancelReservation: [['reservation.cancelled'], posting(() => stay(), ofStay('/cancel'))],
  cancelWorkflowRun: [['workflow_run.cancelled'], posting(waitingRun, ofRun('/cancel'))],
  cancelTask: [['task.cancelled'], posting(() => taskOf(api), task('/cancel'))],
  changeTasksInBulk: [
    ['task.started', 'task.started'],
    async () => {
      const taskIds = [await taskOf(api), await taskOf(api)];
      return () => api.post('/tasks/bulk', { taskIds, action: 'start' });
    },
  ],
  checkInReservation: [['reservation.checked_in'], posting(() => stay(), ofStay('/check-in'), { early: true })],
  checkOutReservation: [['reservation.checked_out', 'property.status_set'], posting(checkedIn, ofStay('/check-out'))],
  commentOnTask: [['task.commented'], posting(() => taskOf(api), task('/comments'), { text: 'Done soon' })],
  completeTask: [['task.completed'], posting(() => taskOf(api), task('/complete'))],
  createAccessCode: [
    ['access_code.created'],
    async () => {
      const code = { deviceId: await lock(), name: 'Cleaners', type: 'ongoing', startsAt: '2040-01-01T00:00:00Z' };
      return () => api.post('/access-codes', code);
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
      const [{ connectionId, externalId }] = (await api.get(`/reservations/${id}`)).body.data.externalRefs as Json[];
      return () => api.delete(`/connections/${connectionId}/reservations/${externalId}`);
    },
  ],
  createConnection: [
    ['connection.created', 'connection.synced'],
    async () => {
      const wishes = await simulator();
      return () => api.post('/connections', wishes);
    },
  ],
  createApiKey: [
    ['member.added', 'api_key.created'],
    () => Promise.resolve(() => api.post('/api-keys', { name: 'k', scopes: ['tasks:read'] })),
  ],
  createGuest: [['guest.created'], () => Promise.resolve(() => api.post('/guests', { name: 'Quentin' }))],
  createProperty: [
    ['property.created'],
    () => Promise.resolve(() => api.post('/properties', { name: 'House', timezone: 'UTC' })),
  ],
  createReservation: [
    ['guest.created', 'reservation.created'],
    async () => {
      const stayed = { propertyId: await propertyOf(api), checkInDate: '2027-01-01', checkOutDate: '2027-01-02' };
      return () => api.post('/reservations', { ...stayed, primaryGuest: { name: 'Quentin' } });
    },
  ],
  createRole: [
    ['role.created'],
    () => {
      const name = `Made ${(people += 1)}`;
      return Promise.resolve(() => api.post('/roles', { name, permissions: ['tasks:read'] }));
    },
  ],
  createTask: [['task.created'], () => Promise.resolve(() => api.post('/tasks', { name: 'Sweep' }))],
  createUnit: [['unit.created'], posting(() => propertyOf(api), ofProperty('/units'), { name: 'A' })],
  createUnitType: [
    ['unit_type.created'],
    posting(() => propertyOf(api), ofProperty('/unit-types'), { name: 'Double' }),
  ],
  createWebhookEndpoint: [
    ['webhook_endpoint.created'],
    () =>
      Promise.resolve(() =>
        api.post('/webhook-endpoints', { url: 'https://93.184.215.14/', eventTypes: ['task.created'] }),
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
      return () => api.delete(`/guests/${id}`);
    },
  ],
  resendInvitation: [
    ['member.invited_again'],
    async () => {
      const id = await member();
      await service.app
        .get(SystemDatabase)
        .rows(`update mailed_links set created_at = created_at - interval '2 hours'`, []);
      return () => api.post(`/members/${id}/resend-invitation`);
    },
  ],
  inviteMember: [
    ['member.invited'],
    async () => {
      const invitation = { email: `invited-${(people += 1)}@tests.example`, roleId: await roleId() };
      return () => api.post('/members', invitation);
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
      return () => api.post(`/guests/${id}/merge`, { fromGuestId });
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
      await api.post(`/members/${id}/suspend`);
      return () => api.post(`/members/${id}/reinstate`);
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
      await api.post(`/devices/${id}/archive`);
      return () => api.post(`/devices/${id}/restore`);
    },
  ],
  restoreProperty: [
    ['property.restored'],
    async () => {
      const id = await propertyOf(api);
      await api.post(`/properties/${id}/archive`);
      return () => api.post(`/properties/${id}/restore`);
    },
  ],
  restoreTask: [['task.restored'], after('archive', 'restore')],
  restoreUnit: [
    ['unit.restored'],
    async () => {
      const propertyId = await propertyOf(api);
      const path = `/properties/${propertyId}/units/${await made(`/properties/${propertyId}/units`, { name: 'A' })}`;
      await api.post(`${path}/archive`);
      return () => api.post(`${path}/restore`);
    },
  ],
  retryWorkflowRun: [['workflow_run.retried'], posting(failedRun, ofRun('/retry'))],
  runWorkflow: [['workflow_run.created'], posting(waiting, ofWorkflow('/run'))],
  saveWorkflow: [['workflow.created'], () => Promise.resolve(() => api.post('/workflows', moved()))],
  revokeApiKey: [
    ['api_key.revoked'],
    posting(
      async () => (await keyWith(api)).id,
      (id) => `/api-keys/${id}/revoke`,
    ),
  ],
  rollBackEmailTemplate: [['email_template.rolled_back'], posting(republished, ofTemplate('/roll-back'))],
  rotateApiKey: [
    ['api_key.rotated', 'api_key.created'],
    posting(
      async () => (await keyWith(api)).id,
      (id) => `/api-keys/${id}/rotate`,
    ),
  ],
  rotateCalendarFeed: [
    ['property.calendar_feed_rotated'],
    posting(() => propertyOf(api), ofProperty('/calendar-feed/rotate')),
  ],
  rotateWebhookSecret: [
    ['webhook_endpoint.secret_rotated'],
    posting(endpoint, (id) => `/webhook-endpoints/${id}/rotate-secret`),
  ],
  saveEmailTemplate: [
    ['email_template.created'],
    () => Promise.resolve(() => api.post('/email-templates', { name: 'Welcome', subject: 'Hi', body: '<p>Hi</p>' })),
  ],
  sendTestEmail: [
    ['message.queued'],
    async () => {
      const [id, memberId] = [await template(), await memberOf(service, { email: 'tester@tests.example' })];
      return () => api.post(`/email-templates/${id}/test-send`, { memberId });
    },
  ],
  setPropertyStatus: [
    ['property.status_set'],
    posting(() => propertyOf(api), ofProperty('/status'), { cleaningStatus: 'dirty' }),
  ],
  setUnitStatus: [
    ['unit.status_set'],
    async () => {
      const propertyId = await propertyOf(api);
      const unitId = await made(`/properties/${propertyId}/units`, { name: 'A' });
      return () => api.post(`/properties/${propertyId}/units/${unitId}/status`, { doNotDisturb: true });
    },
  ],
  withdrawApproval: [
    ['approval.decided'],
    async () => {
      const row = await approvalOf({ service, api, orgId: (await api.get('/organization')).body.data.id as string });
      await service.app.get(TenantDatabase).transaction(row.orgId, async () => {
        await service.app.get(ApprovalsRepository).insert(row);
        service.app.get(EventsService).record(row, approvalRequested, row);
      });
      return () => api.post(`/approvals/${row.id}/withdraw`);
    },
  ],
  startTask: [['task.started'], posting(() => taskOf(api), task('/start'))],
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
      const { body } = await api.post(`/tasks/${await taskOf(api)}/start`);
      return () => api.post('/changes/undo', { requestId: body.meta.requestId });
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
      return Promise.resolve(() => api.patch('/organization', { name }));
    },
  ],
  updateProperty: [
    ['property.updated', 'reservation.updated', 'property.times_changed'],
    async () => {
      const propertyId = await propertyOf(api);
      await stay({ propertyId });
      return () => api.patch(`/properties/${propertyId}`, { checkInTime: '16:00' });
    },
  ],
  updateReservation: [['reservation.updated'], patching(() => stay(), ofStay(''), { notes: 'Quentin likes tea' })],
  updateRole: [['role.updated'], patching(role, (id) => `/roles/${id}`, { permissions: ['guests:read'] })],
  updateTask: [['task.updated'], patching(() => taskOf(api), task(''), { priority: 'low' })],
  updateUnit: [
    ['unit.updated'],
    async () => {
      const propertyId = await propertyOf(api);
      const unitId = await made(`/properties/${propertyId}/units`, { name: 'A' });
      return () => api.patch(`/properties/${propertyId}/units/${unitId}`, { name: 'B' });
    },
  ],
  updateUnitType: [
    ['unit_type.updated'],
    async () => {
      const path = await unitTypePath();
      return () => api.patch(path, { name: 'Twin' });
    },
  ],
  updateWorkflow: [['workflow.updated'], patching(() => workflowOf(api), ofWorkflow(''), { name: 'Other' })],
  updateWebhookEndpoint: [
    ['webhook_endpoint.updated'],
    patching(endpoint, (id) => `/webhook-endpoints/${id}`, { description: 'Board' }),
  ],
};

const feed = async (cursor?: string): Promise<{ events: Json[]; cursor: string }> => {
  await feedSettled(service);
  const { body } = await api.get(`/events?limit=100${cursor ? `&cursor=${cursor}` : ''}`);
  return { events: body.data, cursor: body.meta.pagination.nextCursor };
};
/** All that happened since, and where the feed ends. */
const feedSince = async (cursor?: string): Promise<{ events: Json[]; cursor: string }> => {
  const page = await feed(cursor);
  if (page.events.length < 100) return page;
  const { events, cursor: end } = await feedSince(page.cursor);
  return { events: [...page.events, ...events], cursor: end };
};

const keyOf = ({ type, id }: Json): string => `${type} ${id}`;
const recordKey = ({ subject, data }: Json): string =>
  keyOf({ ...subject, ...(data.translationId && { id: data.translationId }) });
const subjectOf = ({ subject, data }: Json): Subject => ({ ...subject, data }) as Subject;

let cursor: string | undefined;

/** Reads what a scene has made, asks, and reads the entries of the audit trail, as a client would. */
async function witness(
  prepare: Scene,
  isCompared = false,
  isForeseen = true,
): Promise<{
  body: Json;
  events: Json[];
  entries: Json[];
  compared: string[];
  effects: Json[];
}> {
  const ask = await prepare();
  const prepared = await feedSince(cursor);
  cursor = prepared.cursor;
  if (isCompared) await leavesNothing(ask);
  const { effects } = await rehearse(ask);
  const changing = new Set(effects.map((effect) => keyOf(effect.subject)));
  const were = await recordsOf(
    isForeseen ? prepared.events.filter(({ subject }) => changing.has(keyOf(subject))) : prepared.events,
  );
  const { status, text, body } = await ask();
  if (status >= 300) throw new Error(text);
  const entries = (await api.get(`/audit-entries?limit=100&requestId=${body.meta.requestId}`)).body.data as Json[];
  const { events } = await feed(cursor);
  const compared: string[] = [];
  for (const [id, recorded] of Map.groupBy(entries.toReversed(), ({ target }) => keyOf(target))) {
    const event = events.findLast(({ subject }) => keyOf(subject) === id);
    if (!event || additions.has(event.type as string)) continue;
    const is = await readRecord(service, api, subjectOf(event));
    const was = were.get(recordKey(event));
    const images = imagesOf(recorded as { before: object | null; after: object | null }[] as never);
    // Background work has changed it again; an endpoint that fails gets no other version.
    if (is && 'failingSince' in is) is.failingSince = (was ?? is).failingSince;
    if (is && images.after && 'version' in images.after && images.after.version !== is.version) continue;
    expect({ id, ...readable(images, is ?? was) }).toEqual({
      id,
      ...expectedImages(was, is, event as { type: string; data: Json }),
    });
    compared.push(id.slice(0, id.indexOf(' ')));
  }
  return { body, events, entries, compared, effects };
}

/** Asks as `?dryRun=true` would: what the write would change, and that it did not. */
async function rehearse(ask: () => Promise<Reply>): Promise<{ body: Json; effects: Json[] }> {
  const real = api;
  const dry = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}dryRun=true`;
  api = {
    ...real,
    post: (path, body, headers) => real.post(dry(path), body, headers),
    put: (path, body, headers) => real.put(dry(path), body, headers),
    patch: (path, body, headers) => real.patch(dry(path), body, headers),
    delete: (path, headers) => real.delete(dry(path), headers),
  };
  try {
    const { status, text, body } = await ask();
    if (status !== 200) throw new Error(`A rehearsal was answered with ${status} ${text}`);
    const { dryRun, effects, effectsTotal } = body.meta;
    expect({ dryRun, effectsTotal }).toEqual({ dryRun: true, effectsTotal: effects.length });
    return { body, effects };
  } finally {
    api = real;
  }
}

/** Every row and every file, of which a rehearsal leaves nothing behind. */
const everything = async (): Promise<object> => ({
  rows: await rowsOf(service.database.url),
  files: readdirSync(service.config.dataDir, { recursive: true }).map(String).sort(),
});
/** Work in the background, the log of requests too, may write something during one try, but not during each of them. */
async function leavesNothing(ask: () => Promise<Reply>, tries = 5): Promise<void> {
  await service.app.get(RequestLog).write();
  const before = await everything();
  await rehearse(ask);
  const after = await everything();
  if (tries > 1 && !isDeepStrictEqual(after, before)) return await leavesNothing(ask, tries - 1);
  expect(after).toEqual(before);
}
/** The operations whose rehearsal is compared with everything. */
const wholly = sampled(Object.keys(scenes), 12);

/** What a rehearsal and the audit trail both say of a change: whose, what was before, and which fields are new. */
const gistOf = (type: string, { before, after }: Json): Json => ({
  type,
  before: before && Object.entries(before).filter(([name]) => !name.endsWith('At')),
  after: after && Object.keys(after),
});
/** What a provider does and answers is not rehearsed. */
const callsOut = ({ transaction }: Operation): boolean => transaction === 'own';

/** What is told is not the record, but something new at it. */
const additions = new Set([...eventTypes().values()].filter(({ kind }) => kind === 'addition').map(({ name }) => name));
/** Operations after which the record differs from its event, because background work continues with it. */
const unlike = new Set(['commentOnTask', 'runWorkflow', 'retryWorkflowRun', 'sendTestEmail', 'createConnection']);

/** A property with a turnover after each stay, a stay there, a code of the stay, and a second unit's stay beside it. */
const workedAt = async (): Promise<{ propertyId: string; stayId: string }> => {
  const start = { event: 'departure', offsetMinutes: 0 };
  const automaticTasks = [{ name: 'Turnover', type: 'cleaning', timeRule: { start, end: start } }];
  const propertyId = await made('/properties', { name: 'Loft', timezone: 'UTC', automaticTasks });
  const stayId = await stay({ propertyId });
  const deviceId = await lock();
  await api.patch(`/devices/${deviceId}`, { propertyId });
  await made('/access-codes', { deviceId, name: 'Guest', type: 'time_bound', reservationId: stayId });
  return { propertyId, stayId };
};

/** What else changes with a record: the kinds of all records in the trail, and how to read them. */
const consequences: Record<string, [string[], Scene]> = {
  moveReservation: [
    ['access_code', 'reservation', 'task'],
    async () => {
      const { stayId } = await workedAt();
      return () => api.post(`/reservations/${stayId}/move`, { checkInDate: '2027-04-01', checkOutDate: '2027-04-03' });
    },
  ],
  cancelReservation: [
    ['access_code', 'reservation', 'task'],
    async () => {
      const { stayId } = await workedAt();
      return () => api.post(`/reservations/${stayId}/cancel`);
    },
  ],
  updateProperty: [
    ['access_code', 'property', 'reservation', 'task'],
    async () => {
      const { propertyId } = await workedAt();
      return () => api.patch(`/properties/${propertyId}`, { timezone: 'Europe/Athens', checkOutTime: '10:00' });
    },
  ],
  eraseGuest: [
    ['guest', 'reservation'],
    async () => {
      const id = await made('/guests', { name: 'Quentin' });
      await stay({ primaryGuest: { id } });
      return () => api.delete(`/guests/${id}`);
    },
  ],
  archiveWorkflow: [
    ['workflow', 'workflow_run'],
    async () => {
      const id = await waiting();
      await api.post(`/workflows/${id}/run`);
      await runWhen(api, id, ({ status }) => status === 'waiting');
      return () => api.post(`/workflows/${id}/archive`);
    },
  ],
  disconnectConnection: [
    ['connection', 'device', 'device', 'device'],
    async () => {
      const { connectionId } = await simulatorOf(api);
      return () => api.post(`/connections/${connectionId}/disconnect`);
    },
  ],
};

const patches = Object.keys(scenes).filter((name) => /^(update|edit)[A-Z]/.test(name) && name !== 'editTranslations');
/** Inputs that a record does not show as they are given. */
const idle: Record<string, string[]> = { updateAccessCode: ['code', 'endsAt'] };

const sceneOf = (name: string): Scene => (scenes[name] as [string[], Scene])[1];
/** Writes that find the record as they want it when they are asked for a second time. */
const repeated: Record<string, Scene> = {
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
  'updateProperty with a wifi': patching(() => propertyOf(api), ofProperty(''), {
    wifi: { networkName: 'Lake', password: 'only-for-guests' },
  }),
  'updateAccessCode with digits': patching(accessCode, ofCode(''), { code: '482913' }),
};

const scenesOf = (those: Record<string, [string[], Scene]>): Record<string, Scene> =>
  Object.fromEntries(Object.entries(those).map(([name, [, scene]]) => [name, scene]));

/** The records that some events are about, and the organization, as a client reads them now. */
async function recordsOf(events: readonly Json[]): Promise<Map<string, Json>> {
  const { data } = (await api.get('/organization')).body;
  const records = new Map<string, Json>([[keyOf({ type: 'organization', id: data.id }), data]]);
  for (const event of new Map(events.map((one) => [recordKey(one), one])).values())
    records.set(recordKey(event), await readRecord(service, api, subjectOf(event)));
  return records;
}
/** Records without what an undo leaves different: versions, times of day, signed links, and what was used up. */
const unstamped = (record: Json): Json =>
  JSON.parse(
    JSON.stringify(record ?? null, (name, value: unknown) => {
      if (['version', 'updatedAt', 'attachments', 'quotas'].includes(name)) return undefined;
      return ['archivedAt', 'activatedAt', 'publishedAt'].includes(name) ? value !== null : value;
    }),
  ) as Json;
const isOver = (record: Json): boolean =>
  !record ||
  Boolean(record.archivedAt ?? record.endedAt ?? record.revokedAt) ||
  ['archived', 'cancelled', 'hidden', 'removed', 'removing', 'revoked'].includes(record.status as string);

function expectReasons({ status, body }: Reply): void {
  expect([status, body.error.code]).toEqual([409, 'NOT_UNDOABLE']);
  for (const { reason } of body.error.details.entries) expect(reason).toMatch(/[.]$/);
}

/** Asks, undoes it, and compares the records; or reads the reasons. */
async function undoing(prepare: Scene): Promise<[isUndoable: boolean, status: number]> {
  const ask = await prepare();
  const prepared = await feedSince(cursor);
  cursor = prepared.cursor;
  const were = await recordsOf(prepared.events);
  const written = (await ask()).body;
  const { requestId, undoable } = written.meta;
  const entries = (await api.get(`/audit-entries?limit=100&requestId=${requestId}`)).body.data as Json[];
  const undo = await api.post('/changes/undo', { requestId });
  if (!undoable) {
    expectReasons(undo);
    return [undoable, undo.status];
  }
  expect([undo.text, undo.status]).toEqual([undo.text, 200]);
  const are = await recordsOf(prepared.events);
  // Letters are sent and workflows run in the background.
  for (const [key, was] of [...were].filter(([one]) => !/^(message|workflow_run)/.test(one)))
    expect({ key, ...unstamped(are.get(key)) }).toEqual({ key, ...unstamped(was) });
  const stays = undo.body.data.notUndoable.map(({ target }: Json) => keyOf(target)) as string[];
  const made = entries
    .filter(({ before }) => before === null)
    .map(({ target, after }) => ({ subject: target, data: after }));
  for (const [key, record] of await recordsOf(made as Json[]))
    expect([key, key.startsWith('organization') || stays.includes(key) || isOver(record)]).toEqual([key, true]);
  const undone = undo.body.data.undone.map(({ auditEntryId }: Json) => auditEntryId as string) as string[];
  expect(entries.map(({ id }) => id as string)).toEqual(expect.arrayContaining(undone));
  const after = (await api.get(`/audit-entries?limit=100&requestId=${undo.body.meta.requestId}`)).body.data as Json[];
  expect(after.map(({ action }) => action as string)).toEqual(after.map(() => 'undoChanges'));
  expect(after.map(({ undoes }) => undoes as string)).toEqual(expect.arrayContaining(undone));
  return [undoable, undo.status];
}

const handled = (name: string) => {
  const found = service.app
    .get(Catalogue)
    .all()
    .find(({ operation }) => operation.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
};

describe('every operation that writes', () => {
  it('has a scene here, or a reason to be silent', () => {
    const writes = service.app
      .get(Catalogue)
      .all()
      .filter(({ operation }) => operation.effect !== 'read')
      .map(({ operation }) => operation.name);
    expect(writes.length).toBeGreaterThan(40);
    expect([...Object.keys(scenes), ...Object.keys(silent)].sort()).toEqual([...writes].sort());
    const patching = service.app
      .get(Catalogue)
      .all()
      .filter(({ operation }) => operation.method === 'PATCH')
      .map(({ operation }) => operation.name);
    expect([...patches].sort()).toEqual([...patching].sort());
  });

  it.each(Object.entries(scenes))('%s tells what happened, once, and who did it', async (name, [expected, prepare]) => {
    const { events, entries, compared, effects } = await witness(
      prepare,
      wholly.includes(name),
      !callsOut(handled(name).operation),
    );
    const told = entries.toReversed().filter(({ before }) => !callsOut(handled(name).operation) || before === null);
    expect(effects.map((effect) => gistOf(effect.subject.type, effect))).toEqual(
      told.map((entry) => gistOf(entry.target.type, entry)),
    );
    const targets = new Set(entries.map(({ target }) => keyOf(target)));
    expect(unlike.has(name) || compared.length === targets.size).toBe(true);
    // Later work of the service may come now, or with a later scene; and what a connection imports has its own events.
    const isOfConnection = expected.every((type) => type.startsWith('connection.'));
    const shown = events
      .filter(
        ({ type, subject, actor }) =>
          expected.includes(type) || (actor.type === 'member' && targets.has(keyOf(subject))),
      )
      .filter(({ subject }) => !isOfConnection || subject.type === 'connection');
    expect(shown.map(({ type }) => type as string)).toEqual(expected);
    for (const { type, subject, actor } of shown) {
      expect(subject.type).toBe(eventTypes().get(type)?.subject);
      expect(actor.type === 'service' || actor.credential.kind === 'api-key').toBe(true);
    }
    expect(entries.map(({ action }) => action as string)).toEqual(entries.map(() => name));
    // The service may follow up later and automatically.
    const asked = shown.filter(({ actor }) => actor.type === 'member').map(({ subject }) => keyOf(subject));
    expect([...targets]).toEqual(expect.arrayContaining(asked));
    expect(entries.length).toBeGreaterThanOrEqual(asked.length);
    expect(entries.length).toBeLessThanOrEqual(events.length);
    for (const { actor, credential } of entries) {
      expect([actor.type, credential.kind]).toEqual(['member', 'api-key']);
    }
  });

  it.each(Object.entries(consequences))(
    '%s tells what follows, with how it was before',
    async (_, [kinds, prepare]) => {
      const { entries, compared } = await witness(prepare);
      expect([...compared].sort()).toEqual(kinds);
      for (const { before, after, target } of entries)
        expect([target.type, before === null, after === null]).toEqual([target.type, false, target.type === 'guest']);
    },
  );

  it.each(sampled(Object.entries({ ...scenesOf(scenes), ...scenesOf(consequences) }), 8))(
    '%s is undone field by field, or says why it cannot be',
    async (_, prepare) => {
      const [isUndoable, status] = await undoing(prepare);
      expect(status).toBe(isUndoable ? 200 : 409);
    },
  );

  it.each(patches)('%s that changes nothing leaves version, events and entries as they are', async (name) => {
    const { operation } = handled(name);
    const ask = await scenes[name]?.[1]();
    const changed = (await ask?.()) as Reply;
    const { data } = changed.body;
    const inputs = fieldsOf(operation.input).map((field) => field.name);
    const own = Object.fromEntries(
      inputs
        .filter(
          (field) => field in data && !operation.pathParameters.includes(field) && !(idle[name] ?? []).includes(field),
        )
        .map((field) => [field, data[field] as unknown]),
    );
    expect(Object.keys(own)).not.toEqual([]);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, parameter) =>
      parameter === operation.pathParameters.at(-1) ? data.id : data[parameter as string],
    );
    cursor = (await feedSince(cursor)).cursor;
    const { status, text, body } = await api.patch(path, own);
    expect([text, status]).toEqual([text, 200]);
    expect(body.data).toEqual(data);
    expect((await api.get(`/audit-entries?requestId=${body.meta.requestId}`)).body.data).toEqual([]);
    const { events } = await feed(cursor);
    expect(events.filter(({ actor }) => actor.type === 'member')).toEqual([]);
  });

  it.each(Object.entries(repeated))('%s once more leaves version and entries as they are', async (_, prepare) => {
    const ask = await prepare();
    const first = await ask();
    const again = await ask();
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    expect((await api.get(`/audit-entries?requestId=${again.body.meta.requestId}`)).body.data).toEqual([]);
  });

  it('tells nobody who a guest is', async () => {
    await feedSettled(service);
    const rows = JSON.stringify((await feed()).events) + JSON.stringify((await feed(cursor)).events);
    const { text } = await api.get('/audit-entries/export');
    for (const stored of [rows, text]) {
      expect(stored).toContain('guest_');
      expect(stored).not.toMatch(/Quentin|Quite tall|555 0100/);
    }
  });
});
