import { newId, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { UsersService } from '../../../src/tenancy/people/users.service.js';
import { Grant } from '../../../src/auth/applications/grant.entity.js';
import { newMessage, Message } from '../../../src/outside/messages/message.entity.js';
import { ModelJob } from '../../../src/outside/models/model-job.entity.js';
import { type LoggedRequest, slotOf } from '../../../src/platform/requests/logged-request.js';
import { RequestLog } from '../../../src/platform/requests/request-log.service.js';
import type { Api, Json, Reply } from '../../support/api.js';
import { absentId, keyWith, propertyOf, pushedBy, stayOf, taskOf, unitOf } from '../../support/factories.js';
import { simulatorOf } from '../../support/simulator.js';
import type { Service } from '../../support/start-app.js';
import type { Referable } from '../../../src/tenancy/references/external-ref.dto.js';
import { ReferencesRepository } from '../../../src/tenancy/references/references.repository.js';
import { FoundingService } from '../../../src/tenancy/founding/founding.service.js';
import { newRun, WorkflowRun } from '../../../src/features/workflows/runs/run.entity.js';
import { Approval } from '../../../src/auth/approvals/approval.entity.js';
import { approvalOf } from '../../support/approvals.js';
import { inputs, type Kind, steps } from './oracle.js';

/**
 * Where records are created: an organization, a client with every scope in it, and one of its properties; no property
 * if they belong to the whole organization.
 */
export interface Place {
  service: Service;
  api: Api;
  orgId: string;
  propertyId?: string;
}

/** The ids that a path may need: a place of a guide is found by both. */
export type Ids = Partial<Record<Kind, string>>;

export async function placeOf(service: Service, api: Api, name: string): Promise<Place> {
  const { organization } = (await api.get('/me')).body.data;
  return { service, api, orgId: organization.id, propertyId: await propertyOf(api, name) };
}

let count = 0;
const email = (): string => `someone-${(count += 1)}@tests.example`;
const dataOf = ({ status, text, body }: Reply): Json => {
  if (status >= 300) throw new Error(`A fixture was not made: ${text}`);
  return body.data;
};
const made = async ({ api }: Place, path: string, body: object): Promise<string> =>
  dataOf(await api.post(path, body)).id as string;

/** On nights of its own. */
async function freshStay({ api, propertyId }: Place, wishes: object = {}): Promise<Json> {
  const nextDay = (): string => new Date(Date.UTC(2030, 0, (count += 1))).toISOString().slice(0, 10);
  const [checkInDate, checkOutDate] = [nextDay(), nextDay()];
  if (!propertyId) throw new Error('A stay is at a property');
  return await stayOf(api, { propertyId, checkInDate, checkOutDate, ...wishes });
}

const limitOf = ({ propertyId }: Place): string[] | null => (propertyId ? [propertyId] : null);
/** A person with the limit of the place, for an approval of an application. */
async function personOf(place: Place): Promise<string> {
  const { app } = place.service;
  const [address, roleId] = [email(), await roleOf(place)];
  const user = await app.get(UsersService).create({ email: address, name: 'Eva', password: 'some long words' });
  const member = { orgId: place.orgId, userId: user.id, email: address, name: user.name, roleId };
  await app.get(FoundingService).addMember({ ...member, propertyIds: limitOf(place) });
  return user.id;
}
const lockOf = async ({ api, propertyId }: Place): Promise<string> =>
  (await simulatorOf(api, { propertyId })).devices['sim-lock-1'];
const guideOf = (place: Place): Promise<string> =>
  made(place, '/guides', {
    name: 'Welcome',
    sourceLocale: 'en',
    locales: ['pt'],
    propertyIds: limitOf(place),
  });
const templateOf = (place: Place): Promise<string> =>
  made(place, '/email-templates', { name: 'Welcome', subject: 'Hi', body: '<p>Hi</p>' });
const endpointOf = (place: Place): Promise<string> =>
  made(place, '/webhook-endpoints', {
    url: 'https://93.184.215.14/',
    eventTypes: ['task.created'],
    propertyIds: limitOf(place),
  });
const workflowOf = (place: Place): Promise<string> =>
  made(place, '/workflows', { name: 'Made', trigger: { kind: 'manual' }, steps });
const roleOf = (place: Place): Promise<string> =>
  made(place, '/roles', { name: `Role ${(count += 1)}`, permissions: ['tasks:read'] });

/** What no request creates without a model, a mail server or a person on a consent page. */
async function kept<T extends object>({ service }: Place, entity: new () => T, record: T): Promise<void> {
  const system = service.app.get(SystemDatabase);
  await system.transaction(() => system.insert(entity, record as never));
}

const now = (): string => new Date().toISOString();

/** A new record of each kind, with the ids that lead to it. */
export const makers: Record<Kind, (place: Place) => Promise<Ids>> = {
  application: async (place) => {
    const id = newId('grant');
    await kept(
      place,
      Grant,
      Object.assign(new Grant(), {
        orgId: place.orgId,
        id,
        clientId: id,
        clientName: 'An application',
        verified: false,
        userId: await personOf(place),
        scopes: ['tasks:read'],
        offline: true,
        audience: 'nobody',
        lastUsedAt: null,
        revokedAt: null,
        revokedBecause: null,
        version: 1,
        createdAt: now(),
        updatedAt: now(),
      }),
    );
    return { application: id };
  },
  block: async (place) => ({
    property: place.propertyId,
    block: await made(place, `/properties/${place.propertyId}/unit-blocks`, {
      unitId: await unitOf(place.api, place.propertyId as string, `${(count += 1)}`),
      from: '2031-05-01',
      kind: 'out_of_service',
    }),
  }),
  code: async (place) => ({
    code: await made(place, '/access-codes', {
      deviceId: await lockOf(place),
      name: 'Cleaners',
      type: 'ongoing',
    }),
  }),
  command: async (place) => {
    const device = await lockOf(place);
    dataOf(await place.api.post(`/devices/${device}/lock`));
    return { device, command: (await place.api.get(`/device-commands?deviceId=${device}`)).body.data[0].id };
  },
  connection: async (place) => ({
    connection: await made(place, '/connections', {
      provider: 'simulator',
      kind: 'pms',
      name: 'Simulated',
      settings: { propertyId: place.propertyId },
    }),
  }),
  device: async (place) => ({ device: await lockOf(place) }),
  endpoint: async (place) => ({ endpoint: await endpointOf(place) }),
  event: async (place) => {
    const task = await taskOf(place.api, { propertyId: place.propertyId });
    let found: Json;
    let cursor = '';
    while (!found) {
      const { data, meta } = (await place.api.get(`/events?types=task.created&limit=100${cursor}`)).body;
      found = (data as Json[]).find(({ subject }) => subject.id === task);
      cursor = `&cursor=${meta.pagination.nextCursor}`;
    }
    return { event: found.id, task };
  },
  approval: async (place) => {
    const row = await approvalOf(place);
    await kept(place, Approval, row);
    return { approval: row.id };
  },
  /** A connection's name for a record of each kind. */
  external: async (place) => {
    const [connection, external] = [
      await pushedBy(place.api, { propertyId: place.propertyId }),
      `vendor-${(count += 1)}`,
    ];
    const { guest, id: reservation } = await freshStay(place, { primaryGuest: { name: 'Ana' } }).then(
      ({ id, primaryGuest }) => ({ id, guest: primaryGuest.id }),
    );
    const { unit } = await makers.unit(place);
    const { unittype } = await makers.unittype(place);
    const records = { property: place.propertyId, unit, unit_type: unittype, guest, reservation };
    const { app } = place.service;
    await app.get(TenantDatabase).transaction(place.orgId, async () => {
      for (const [resource, id] of Object.entries(records)) {
        const named = { resource: resource as Referable, connectionId: connection, externalId: external };
        await app.get(ReferencesRepository).add(place.orgId, named, id as string);
      }
    });
    return { connection, external };
  },
  file: async ({ api, propertyId }) => {
    const task = await taskOf(api, { propertyId });
    const { attachments } = dataOf(await api.post(`/tasks/${task}/attachments`, inputs.attachToTask));
    return { task, file: attachments[0].id };
  },
  guest: async (place) => ({
    guest: place.propertyId
      ? ((await freshStay(place, { primaryGuest: { name: 'Ana' } })).primaryGuest.id as string)
      : await made(place, '/guests', { name: 'Ana' }),
  }),
  guide: async (place) => ({ guide: await guideOf(place) }),
  job: async (place) => {
    const id = newId('job');
    const { member } = (await place.api.get('/me')).body.data;
    await kept(
      place,
      ModelJob,
      Object.assign(new ModelJob(), {
        orgId: place.orgId,
        id,
        operation: 'create_email_template',
        propertyId: place.propertyId ?? null,
        status: 'failed',
        requestedBy: member.id,
        caller: {},
        input: {},
        result: null,
        error: null,
        usage: {},
        attempts: 1,
        dueAt: null,
        startedAt: now(),
        finishedAt: now(),
        version: 1,
        createdAt: now(),
        updatedAt: now(),
      }),
    );
    return { job: id };
  },
  key: async (place) => ({
    key: (await keyWith(place.api, { scopes: ['tasks:read'], propertyIds: limitOf(place) })).id,
  }),
  member: async (place) => ({
    member: await made(place, '/members', {
      email: email(),
      roleId: await roleOf(place),
      propertyIds: limitOf(place),
    }),
  }),
  message: async (place) => {
    const [id, templateId] = [newId('message'), await templateOf(place)];
    const reservationId = place.propertyId ? ((await freshStay(place)).id as string) : null;
    const about = { reservationId, propertyId: place.propertyId ?? null, guestId: null, memberId: null };
    const sent = { dedupeKey: id, templateId, templateVersion: 1, marketing: false, test: false };
    await kept(place, Message, newMessage(place.orgId, id, { ...about, ...sent }));
    return { message: id };
  },
  place: async (place) => {
    const guide = await guideOf(place);
    return { guide, place: await made(place, `/guides/${guide}/places`, { name: 'Café' }) };
  },
  property: async ({ api }) => ({ property: await propertyOf(api) }),
  request: async ({ service, api, orgId }) => {
    const { member } = (await api.get('/me')).body.data;
    const id = newId('request');
    const made = { operation: 'getMe', status: 200, code: 'MADE', credential_kind: 'api-key', credential_id: id };
    const row: LoggedRequest = {
      org_id: uuidIn(orgId),
      id: uuidIn(id),
      slot: slotOf(Date.now()),
      request_id: null,
      at: now(),
      door: 'rest',
      ...made,
      application_id: null,
      member_id: uuidIn(member.id as string),
      milliseconds: 1,
      bytes: 2,
      replayed: false,
      dry_run: false,
      sampled: false,
      invalid_fields: null,
    };
    service.app.get(RequestLog).add(row, true);
    await service.app.get(RequestLog).write();
    return { request: id };
  },
  reservation: async (place) => ({ reservation: (await freshStay(place)).id as string }),
  role: async (place) => ({ role: await roleOf(place) }),
  suppression: async (place) => ({ suppression: await made(place, '/suppressions', { email: email() }) }),
  task: async ({ api, propertyId }) => ({ task: await taskOf(api, { propertyId }) }),
  template: async (place) => ({ template: await templateOf(place) }),
  translation: async (place) => {
    const guide = await guideOf(place);
    const { id } = (await place.api.get(`/guides/${guide}/translations`)).body.data[0];
    dataOf(await place.api.patch(`/guides/${guide}/translations/${id}`, { text: 'Bem-vindos' }));
    return { guide, translation: id };
  },
  run: async (place) => {
    const workflowId = await workflowOf(place);
    const about = {
      triggerKey: workflowId,
      trigger: { kind: 'manual' as const },
      subjectId: null,
      reservationId: null,
    };
    const given = {
      orgId: place.orgId,
      workflowId,
      workflowVersion: 1,
      propertyId: place.propertyId ?? null,
      chain: [],
    };
    const run = newRun({ ...about, ...given }, { skipped: true });
    await kept(place, WorkflowRun, run);
    return { run: run.id };
  },
  unit: async ({ api, propertyId }) => ({
    property: propertyId,
    unit: await unitOf(api, propertyId as string, `${(count += 1)}`),
  }),
  unittype: async (place) => ({
    property: place.propertyId,
    unittype: await made(place, `/properties/${place.propertyId}/unit-types`, { name: 'Double' }),
  }),
  workflow: async (place) => ({ workflow: await workflowOf(place) }),
};

/** How a record of each kind is archived, if it can be. */
export const archivals: Partial<Record<Kind, (ids: Ids) => string>> = {
  device: ({ device }) => `/devices/${device}/archive`,
  guide: ({ guide }) => `/guides/${guide}/archive`,
  property: ({ property }) => `/properties/${property}/archive`,
  task: ({ task }) => `/tasks/${task}/archive`,
  template: ({ template }) => `/email-templates/${template}/archive`,
  unit: ({ property, unit }) => `/properties/${property}/units/${unit}/archive`,
  unittype: ({ property, unittype }) => `/properties/${property}/unit-types/${unittype}/archive`,
  workflow: ({ workflow }) => `/workflows/${workflow}/archive`,
};

const prefixes: Partial<Record<Kind, string>> = { application: 'grant' };

export const absent = (kind: Kind): string => absentId(prefixes[kind] ?? kind);

/** Kinds whose records each belong to a property. */
export const atProperties: readonly Kind[] = ['property', 'reservation', 'unit', 'unittype', 'block', 'external'];
