import { type Door, doorNames, doors } from '../../support/doors.js';
import { keyWith } from '../../support/factories.js';
import { codeOf } from '../../support/hotel.js';
import { type Service, startApp } from '../../support/start-app.js';
import { vendorOf } from './vendor.js';

let service: Service;
beforeAll(async () => (service = await startApp()));
afterAll(() => service.close());

const refused = [409, 'RESERVATION_NOT_CONFIRMED'];

describe.each(doorNames)('over %s, another system', (name) => {
  let door: Door;
  let vendor: Awaited<ReturnType<typeof vendorOf>>;
  beforeAll(async () => {
    door = doors(service)[name].as((await keyWith(service.api)).key);
    vendor = await vendorOf(door);
  });

  it.each(['checked_in', 'checked_out'])('cancels no stay whose guests are %s', async (stayStatus) => {
    const { ask, save, stay, connectionId } = vendor;
    const room = { ...stay, unitRef: '101' };
    expect((await save(stayStatus, { ...room, stayStatus })).status).toBe(201);
    for (const said of [{ status: 'cancelled' }, { status: 'declined', stayStatus }, { ...room, status: 'pending' }])
      expect(codeOf(await save(stayStatus, said))).toEqual(refused);
    expect(codeOf(await ask('cancelReservationByRef', stayStatus))).toEqual(refused);
    const items = [{ externalId: stayStatus, status: 'cancelled' }];
    const { body } = await door.ask('saveReservationsInBulk', { connectionId, items });
    expect(body.data[0].error.code).toBe(refused[1]);
    const { data } = (await ask('getReservationByRef', stayStatus)).body;
    expect(data).toMatchObject({ status: 'confirmed', stayStatus });
    const off = await save(stayStatus, { status: 'cancelled', stayStatus: 'not_arrived' });
    expect(off.body.data).toMatchObject({ status: 'cancelled', stayStatus: 'not_arrived' });
  });

  it('cancels a no-show', async () => {
    const { save, stay } = vendor;
    await save('away', { ...stay, stayStatus: 'no_show' });
    expect((await save('away', { status: 'cancelled' })).body.data.status).toBe('cancelled');
  });
});
