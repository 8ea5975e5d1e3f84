import { keyWith, taskOf } from '../../support/factories.js';
import { day } from '../../support/hotel.js';
import { archivedPlaces } from './stays.js';
import { asking, type Case, type World } from './world.js';

/** Errors of tasks, devices and connections, and of their places. */
export async function work(world: World): Promise<Case[]> {
  const { api, hotel, done } = world;
  const { propertyId } = hotel;
  const ask = asking(world);
  const archived = await archivedPlaces(world);
  const old = { propertyId, unitId: archived.unitId };
  const taskId = await taskOf(api, { propertyId });
  const elsewhere = (await done('createReservation', { propertyId, checkInDate: day(600), checkOutDate: day(601) })).id;
  const apart = await taskOf(api);
  const series = { canStartAt: '2030-01-01T08:00:00Z', dueAt: '2030-01-01T09:00:00Z' };
  const calendar = { provider: 'ical', kind: 'pms', name: 'Calendar' };
  const settings = { url: 'https://calendars.example/a.ics', propertyId };
  const { api: limited } = await keyWith(api, { propertyIds: [propertyId] });
  const { id: connectionId } = await done('createConnection', { ...calendar, settings });
  const simulated = { provider: 'simulator', kind: 'pms', name: 'PMS', settings: { propertyId } };
  const { id: everywhere } = await done('createConnection', simulated);
  return [
    ask('createTask', 'UNIT_ARCHIVED', { name: 'Clean', ...old }),
    ask('updateTask', 'UNIT_ARCHIVED', { taskId, ...old }),
    ask('updateTask', 'PROPERTY_ARCHIVED', { taskId, propertyId: archived.propertyId }),
    ask('updateTask', 'TASK_UNIT_WITHOUT_PROPERTY', { taskId: world.ids.taskId, unitId: hotel.rooms[101] }),
    ask('updateTask', 'TASK_STAY_IS_ELSEWHERE', {
      taskId: apart,
      propertyId: world.ids.propertyId,
      reservationId: elsewhere,
    }),
    ask('updateTask', 'TASK_RECURRENCE_UNREADABLE', { taskId, ...series, recurrence: 'FREQ=NEVER' }),
    ask('updateTask', 'TASK_RECURRENCE_WITHOUT_TIME', { taskId, recurrence: 'FREQ=DAILY' }),
    ask('updateTask', 'TASK_RECURRENCE_TOO_OLD', { taskId, recurrence: 'FREQ=DAILY', dueAt: '0001-01-01T00:00:00Z' }),
    ask('updateDevice', 'UNIT_ARCHIVED', { deviceId: world.ids.deviceId, ...old }),
    ask('createUnitBlock', 'UNIT_ARCHIVED', { ...old, from: day(1), kind: 'out_of_order' }),
    ask('createConnection', 'UNIT_ARCHIVED', { ...calendar, settings: { ...settings, unitId: archived.unitId } }),
    ask('updateConnection', 'UNIT_ARCHIVED', { connectionId, settings: { ...settings, unitId: archived.unitId } }),
    ask('updateConnection', 'PROPERTY_ARCHIVED', {
      connectionId,
      settings: { ...settings, propertyId: archived.propertyId },
    }),
    [
      'updateConnection',
      'CONNECTION_NEEDS_A_PROPERTY',
      () => limited.patch(`/connections/${everywhere}`, { settings: {} }),
    ],
  ];
}
