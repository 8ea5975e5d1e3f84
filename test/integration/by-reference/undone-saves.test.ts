import type { Json } from '../../support/api.js';
import { type Door, doorNames, doors } from '../../support/doors.js';
import { keyWith } from '../../support/factories.js';
import { type Service, startApp } from '../../support/start-app.js';
import { dates } from '../../support/hotel.js';
import { vendorOf } from './vendor.js';

let service: Service;
beforeAll(async () => (service = await startApp()));
afterAll(() => service.close());

const outcomeOf = ({ status, body }: { status: number; body: Json }) => [status, body.meta?.outcome];
const kinds = [
  ['Property', 'Properties', 'H2', { name: 'Hotel Verde', timezone: 'UTC' }],
  ['UnitType', 'UnitTypes', 'SGL', { propertyRef: 'H1', name: 'Single' }],
  ['Unit', 'Units', '201', { propertyRef: 'H1', unitTypeRef: 'DBL', name: '201' }],
] as const;

describe.each(doorNames)('over %s', (name) => {
  let door: Door;
  let vendor: Awaited<ReturnType<typeof vendorOf>>;
  beforeAll(async () => {
    door = doors(service)[name].as((await keyWith(service.api)).key);
    vendor = await vendorOf(door);
  });

  const undo = async (requestId: string) => {
    const { status, body } = await door.ask('undoChanges', { requestId });
    expect([status, body.error]).toEqual([200, undefined]);
  };
  const bulk = async (operation: string, item: object) => {
    const { body } = await door.ask(operation, { connectionId: vendor.connectionId, items: [item] });
    return { requestId: body.meta.requestId as string, outcome: body.data[0].outcome as string };
  };

  describe.each(kinds)('a %s', (kind, plural, externalId, content) => {
    const save = (given: object) => vendor.ask(`save${kind}ByRef`, externalId, given);
    const read = async () => (await vendor.ask(`get${kind}ByRef`, externalId)).body.data as Json;

    it('whose first save was undone comes back when it is saved again, also in bulk and in another version', async () => {
      const made = await save(content);
      expect(outcomeOf(made)).toEqual([201, 'created']);
      await undo(made.body.meta.requestId as string);
      expect((await read()).archivedAt).not.toBeNull();
      const back = await save(content);
      expect([...outcomeOf(back), back.body.data.archivedAt]).toEqual([200, 'reinstated', null]);
      expect(outcomeOf(await save(content))).toEqual([200, 'unchanged']);

      const item = { externalId: `${externalId} B`, ...content };
      const inBulk = await bulk(`save${plural}InBulk`, item);
      expect(inBulk.outcome).toBe('created');
      await undo(inBulk.requestId);
      const renamed = { ...item, name: 'Other' };
      expect((await bulk(`save${plural}InBulk`, renamed)).outcome).toBe('reinstated');
      const { name: now, archivedAt } = (await vendor.ask(`get${kind}ByRef`, item.externalId)).body.data;
      expect([now, archivedAt]).toEqual(['Other', null]);
    });

    it('whose change was undone changes when it is saved again, and one that a person archived stays so', async () => {
      const other = { ...content, name: 'Renamed' };
      const changed = await save(other);
      expect(outcomeOf(changed)).toEqual([200, 'changed']);
      await undo(changed.body.meta.requestId as string);
      expect((await read()).name).toBe(content.name);
      expect([...outcomeOf(await save(other)), (await read()).name]).toEqual([200, 'changed', 'Renamed']);
      const { id, propertyId } = await read();
      const path = {
        Property: { propertyId: id },
        UnitType: { propertyId, unitTypeId: id },
        Unit: { propertyId, unitId: id },
      };
      expect((await door.ask(`archive${kind}`, path[kind])).status).toBe(200);
      expect([...outcomeOf(await save(other)), (await read()).archivedAt === null]).toEqual([200, 'unchanged', false]);
    });
  });

  it('a guest whose first save was undone is created again, and a change is saved again', async () => {
    const save = (given: object) => vendor.ask('saveGuestByRef', 'G', given);
    const made = await save({ name: 'Ana' });
    await undo(made.body.meta.requestId as string);
    expect(outcomeOf(await save({ name: 'Ana' }))).toEqual([201, 'created']);
    const changed = await save({ name: 'Bea' });
    await undo(changed.body.meta.requestId as string);
    const again = await save({ name: 'Bea' });
    expect([...outcomeOf(again), again.body.data.name]).toEqual([200, 'changed', 'Bea']);
  });

  describe('a stay whose first save said that its guests', () => {
    const stays = { propertyRef: 'H1', unitTypeRef: 'DBL' };
    const read = async (externalId: string) => (await vendor.ask('getReservationByRef', externalId)).body.data as Json;
    const [here, gone] = [
      { ...stays, unitRef: '101', ...dates(-1, 2), stayStatus: 'checked_in' },
      { ...stays, unitRef: '102', ...dates(-3, -1), stayStatus: 'checked_out' },
    ];

    it.each([
      ['are in house', 'A', here],
      ['have left', 'B', gone],
    ])('%s is cancelled by the undo, and comes back by the next save', async (_, externalId, content) => {
      const made = await vendor.save(externalId, content);
      expect(made.body.meta.undoable).toBe(true);
      await undo(made.body.meta.requestId as string);
      expect(await read(externalId)).toMatchObject({ status: 'cancelled', stayStatus: 'not_arrived', segments: [] });
      const back = await vendor.save(externalId, content);
      expect(outcomeOf(back)).toEqual([200, 'reinstated']);
      expect(back.body.data).toMatchObject({ status: 'confirmed', stayStatus: content.stayStatus });
    });

    it('are in house does not prevent the undo of a bulk, nor that of this undo', async () => {
      const items = [
        { externalId: 'C', ...here, unitRef: '102' },
        { externalId: 'D', ...gone, ...dates(-9, -8) },
        { externalId: 'E', ...stays, ...dates(4, 5) },
      ];
      const { body } = await door.ask('saveReservationsInBulk', { connectionId: vendor.connectionId, items });
      const { body: undone } = await door.ask('undoChanges', { requestId: body.meta.requestId });
      expect(undone.data.undone).toHaveLength(3);
      await undo(undone.meta.requestId as string);
      const states = await Promise.all(['C', 'D', 'E'].map(async (id) => (await read(id)).stayStatus));
      expect(states).toEqual(['checked_in', 'checked_out', 'not_arrived']);
    });

    it('are in house stays where somebody has changed it since', async () => {
      const made = await vendor.save('F', { ...here, ...dates(-20, -10), notes: 'Late' });
      await door.ask('updateReservation', { reservationId: made.body.data.id, notes: 'Later' });
      const { status, body } = await door.ask('undoChanges', { requestId: made.body.meta.requestId });
      expect([status, body.error.code]).toEqual([409, 'NOT_UNDOABLE']);
      expect(await read('F')).toMatchObject({ status: 'confirmed', stayStatus: 'checked_in' });
    });

    it('are in house is cancelled where it overlaps another one', async () => {
      const content = { ...here, ...dates(-40, -30) };
      await vendor.save('G', content);
      const made = await vendor.save('H', content);
      expect(await read('H')).toMatchObject({ overlapping: true });
      await undo(made.body.meta.requestId as string);
      expect(await read('H')).toMatchObject({ status: 'cancelled' });
    });
  });
});
