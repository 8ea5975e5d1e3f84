import { hotelOf } from '../../../support/hotel.js';
import { propertyOf } from '../../../support/factories.js';
import { made, posting, type Scenes, world } from './world.js';
import { stay } from './stays.js';

const unitTypePath = async (): Promise<string> => {
  const path = `/properties/${await propertyOf(world.api)}/unit-types`;
  return `${path}/${await made(path, { name: 'Double' })}`;
};

const blockPath = async (): Promise<string> => {
  const { propertyId, rooms } = await hotelOf(world.api, { '': ['101'] });
  const path = `/properties/${propertyId}/unit-blocks`;
  return `${path}/${await made(path, { unitId: rooms['101'], from: '2031-01-01', kind: 'out_of_order' })}`;
};

export const ofProperty = (path: string) => (id: string) => `/properties/${id}${path}`;

export const places: Scenes = {
  createProperty: [
    ['property.created'],
    () => Promise.resolve(() => world.api.post('/properties', { name: 'House', timezone: 'UTC' })),
  ],
  updateProperty: [
    ['property.updated', 'reservation.updated', 'property.times_changed'],
    async () => {
      const propertyId = await propertyOf(world.api);
      await stay({ propertyId });
      return () => world.api.patch(`/properties/${propertyId}`, { checkInTime: '16:00' });
    },
  ],
  archiveProperty: [['property.archived'], posting(() => propertyOf(world.api), ofProperty('/archive'))],
  restoreProperty: [
    ['property.restored'],
    async () => {
      const id = await propertyOf(world.api);
      await world.api.post(`/properties/${id}/archive`);
      return () => world.api.post(`/properties/${id}/restore`);
    },
  ],
  setPropertyStatus: [
    ['property.status_set'],
    posting(() => propertyOf(world.api), ofProperty('/status'), { cleaningStatus: 'dirty' }),
  ],
  rotateCalendarFeed: [
    ['property.calendar_feed_rotated'],
    posting(() => propertyOf(world.api), ofProperty('/calendar-feed/rotate')),
  ],
  createUnit: [['unit.created'], posting(() => propertyOf(world.api), ofProperty('/units'), { name: 'A' })],
  updateUnit: [
    ['unit.updated'],
    async () => {
      const propertyId = await propertyOf(world.api);
      const unitId = await made(`/properties/${propertyId}/units`, { name: 'A' });
      return () => world.api.patch(`/properties/${propertyId}/units/${unitId}`, { name: 'B' });
    },
  ],
  setUnitStatus: [
    ['unit.status_set'],
    async () => {
      const propertyId = await propertyOf(world.api);
      const unitId = await made(`/properties/${propertyId}/units`, { name: 'A' });
      return () => world.api.post(`/properties/${propertyId}/units/${unitId}/status`, { doNotDisturb: true });
    },
  ],
  archiveUnit: [
    ['unit.archived'],
    async () => {
      const propertyId = await propertyOf(world.api);
      const unitId = await made(`/properties/${propertyId}/units`, { name: 'A' });
      return () => world.api.post(`/properties/${propertyId}/units/${unitId}/archive`);
    },
  ],
  restoreUnit: [
    ['unit.restored'],
    async () => {
      const propertyId = await propertyOf(world.api);
      const path = `/properties/${propertyId}/units/${await made(`/properties/${propertyId}/units`, { name: 'A' })}`;
      await world.api.post(`${path}/archive`);
      return () => world.api.post(`${path}/restore`);
    },
  ],
  createUnitType: [
    ['unit_type.created'],
    posting(() => propertyOf(world.api), ofProperty('/unit-types'), { name: 'Double' }),
  ],
  updateUnitType: [
    ['unit_type.updated'],
    async () => {
      const path = await unitTypePath();
      return () => world.api.patch(path, { name: 'Twin' });
    },
  ],
  archiveUnitType: [
    ['unit_type.archived'],
    async () => {
      const path = await unitTypePath();
      return () => world.api.post(`${path}/archive`);
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
};
