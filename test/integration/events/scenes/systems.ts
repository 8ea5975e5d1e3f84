import type { Json, Reply } from '../../../support/api.js';
import { nightsFromToday, propertyOf, pushedBy } from '../../../support/factories.js';
import { deleting, made, patching, posting, type Scenes, world } from './world.js';

/** Saves a record by reference, at a property if it belongs to one. */
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

const saved = (
  saving: typeof savingByRef,
  wanted: Record<string, [type: string, path: string, content: object]>,
): Scenes =>
  Object.fromEntries(
    Object.entries(wanted).map(([name, [type, path, content]]) => [name, [[type], () => saving(path, content)]]),
  );

const simulator = async (): Promise<object> => ({
  provider: 'simulator',
  kind: 'pms',
  name: 'Simulated',
  settings: { propertyId: await propertyOf(world.api) },
});

const connection = async (): Promise<string> => await made('/connections', await simulator());

const endpoint = (): Promise<string> =>
  made('/webhook-endpoints', { url: 'https://93.184.215.14/', eventTypes: ['task.created'] });

export const systems: Scenes = {
  createConnection: [
    ['connection.created', 'connection.synced'],
    async () => {
      const wishes = await simulator();
      return () => world.api.post('/connections', wishes);
    },
  ],
  updateConnection: [['connection.updated'], patching(connection, (id) => `/connections/${id}`, { name: 'Other' })],
  testConnection: [['connection.tested'], posting(connection, (id) => `/connections/${id}/test`)],
  syncConnection: [['connection.synced'], posting(connection, (id) => `/connections/${id}/sync`)],
  disconnectConnection: [['connection.disconnected'], posting(connection, (id) => `/connections/${id}/disconnect`)],
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
  createWebhookEndpoint: [
    ['webhook_endpoint.created'],
    () =>
      Promise.resolve(() =>
        world.api.post('/webhook-endpoints', { url: 'https://93.184.215.14/', eventTypes: ['task.created'] }),
      ),
  ],
  updateWebhookEndpoint: [
    ['webhook_endpoint.updated'],
    patching(endpoint, (id) => `/webhook-endpoints/${id}`, { description: 'Board' }),
  ],
  testWebhookEndpoint: [['webhook_endpoint.tested'], posting(endpoint, (id) => `/webhook-endpoints/${id}/test`)],
  rotateWebhookSecret: [
    ['webhook_endpoint.secret_rotated'],
    posting(endpoint, (id) => `/webhook-endpoints/${id}/rotate-secret`),
  ],
  deleteWebhookEndpoint: [['webhook_endpoint.deleted'], deleting(endpoint, (id) => `/webhook-endpoints/${id}`)],
  ...saved(savingByRef, {
    saveGuestByRef: ['guest.created', 'guests', { name: 'Quentin' }],
    savePropertyByRef: ['property.created', 'properties', { name: 'House', timezone: 'UTC' }],
    saveUnitTypeByRef: ['unit_type.created', 'unit-types', { name: 'Double' }],
    saveUnitByRef: ['unit.created', 'units', { name: '101' }],
    saveReservationByRef: ['reservation.created', 'reservations', nightsFromToday()],
  }),
  ...saved(savingInBulk, {
    saveGuestsInBulk: ['guest.created', 'guests', { name: 'Quentin' }],
    savePropertiesInBulk: ['property.created', 'properties', { name: 'House', timezone: 'UTC' }],
    saveUnitTypesInBulk: ['unit_type.created', 'unit-types', { name: 'Double' }],
    saveUnitsInBulk: ['unit.created', 'units', { name: '101' }],
    saveReservationsInBulk: ['reservation.created', 'reservations', nightsFromToday()],
  }),
};
