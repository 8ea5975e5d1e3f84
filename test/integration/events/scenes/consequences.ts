import { simulatorOf } from '../../../support/simulator.js';
import { runWhen } from '../../../support/workflows.js';
import { made, type Scenes, world } from './world.js';
import { stay } from './stays.js';
import { lock } from './devices.js';
import { waiting } from './workflows.js';

/** A property with a turnover after each stay, a stay there, a code of the stay, and a stay in a second unit. */
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
export const consequences: Scenes = {
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
