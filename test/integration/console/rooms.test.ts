import type { Json } from '../../support/api.js';
import { offered, type OwnersConsole, ownersConsole } from '../../support/console.js';
import { keyWith } from '../../support/factories.js';
import { day, type Hotel, hotelOf } from '../../support/hotel.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let pages: OwnersConsole;
let hotel: Hotel;
beforeAll(async () => {
  service = await startApp();
  pages = await ownersConsole(service);
});
beforeEach(async () => {
  // With a key of its own, because a key has a limit per second.
  hotel = await hotelOf((await keyWith(service.api)).api, { Double: ['101', '102', '103'], Suite: ['501'] });
});
afterAll(() => service.close());

const today = () => `today?propertyId=${hotel.propertyId}`;
const property = () => `properties/${hotel.propertyId}`;
const blocksNow = async () =>
  (await service.api.get(`/properties/${hotel.propertyId}/unit-blocks`)).body.data as readonly Json[];

describe('the Today page of one property', () => {
  it('shows who arrives, leaves and stays before the rooms', async () => {
    await hotel.stay(0, 2, '101');
    const { html } = await pages.open(today());
    const titles = [...html.matchAll(/<h2>([^<]+)/g)].map(([, title]) => title);
    expect(titles.slice(-4)).toEqual(['Arrivals', 'Departures', 'In house', 'Hotel']);
  });

  it('says which guests should have left before, with a button that checks them out', async () => {
    const stay = await hotel.stay(-2, -1, '101', { primaryGuest: { name: 'Ana' } });
    await hotel.act(stay, 'check-in');
    const { text } = await pages.open(today());
    expect(text).toContain(`Overdue: expected to leave on ${day(-1)}`);
    expect(text).toContain(`Due out, should have left on ${day(-1)}: Ana`);
    const left = await pages.send(today(), 'checkOutReservation', { reservationId: stay.id as string });
    expect(left.text).toContain('The guests were checked out.');
    expect(left.text).not.toContain('should have left');
  });

  it('lists guests who are late with the arrivals, to be checked in or marked as a no-show', async () => {
    const stays = {
      Late: await hotel.stay(-1, 2, '101', { primaryGuest: { name: 'Late' } }),
      Gone: await hotel.stay(-2, 0, '102', { primaryGuest: { name: 'Gone' } }),
      Here: await hotel.stay(-1, 1, '103', { primaryGuest: { name: 'Here' } }),
    };
    await hotel.act(stays.Here, 'check-in');
    const sections = async () => {
      const page = await pages.open(today());
      return page.html
        .split(/<h2>(?=Arrivals|Departures|In house|Hotel)/)
        .slice(1, 4)
        .map((section) => ({
          guests: [...section.matchAll(/>(Late|Gone|Here)<\/a>/g)].map(([, name]) => name),
          acts: [...section.matchAll(/<button[^>]*aria-label="([^"]+)"/g)].map(([, label]) => label),
        }));
    };
    expect(await sections()).toEqual([
      { guests: ['Late', 'Gone'], acts: ['Check in Late', 'No-show Late', 'Check in Gone', 'No-show Gone'] },
      { guests: [], acts: [] },
      { guests: ['Here'], acts: [] },
    ]);
    expect((await pages.open(today())).text).toContain(`Late: expected on ${day(-1)}`);
    const tomorrow = await pages.open(`${today()}&date=${day(1)}`);
    expect(tomorrow.text).toContain(`Late: expected on ${day(-1)}`);
    expect(tomorrow.html).not.toContain('Check in Late');
    const fields = { reservationId: stays.Late.id as string, release: 'true' };
    expect((await pages.send(today(), 'markNoShow', fields)).text).toContain('The stay was marked as a no-show.');
    const { stayStatus, segments } = (await service.api.get(`/reservations/${stays.Late.id}`)).body.data as Json;
    expect([stayStatus, segments]).toEqual(['no_show', []]);
    expect((await sections())[0]?.guests).toEqual(['Gone']);
  });

  it('leads late guests without a room to their page, where they get one', async () => {
    const { id } = await hotel.stay(-1, 2, 'Double', { primaryGuest: { name: 'Late' } });
    const { html } = await pages.open(today());
    expect(html).toContain(`/reservations/${id}">Assign a room</a>`);
    expect(html).not.toContain('Check in Late');
    expect(offered(await pages.open(`reservations/${id}`), 'unitId')).toContain('101, Double');
  });

  it('offers each arrival the rooms that are free on all of its nights', async () => {
    const block = { unitId: hotel.rooms['101'], kind: 'owner_use', from: day(2), until: day(4) };
    await service.api.post(`/properties/${hotel.propertyId}/unit-blocks`, block);
    await hotel.stay(1, 3, '102');
    await hotel.stay(0, 1, 'Double', { primaryGuest: { name: 'Short' } });
    await hotel.stay(0, 4, 'Double', { primaryGuest: { name: 'Long' } });
    const { html } = await pages.open(today());
    const choices = Object.fromEntries(
      html
        .split('<li>')
        .filter((part) => part.includes('value="assignUnit"'))
        .map((part) => [/>(Short|Long)</.exec(part)?.[1], offered({ html: part } as never, 'unitId')]),
    );
    expect(choices).toEqual({ Short: ['101, Double', '102, Double', '103, Double'], Long: ['103, Double'] });
  });

  it('says in which of the rooms guests are now, wherever one is chosen from today on', async () => {
    const { id: stayId } = await hotel.stay(-1, 0, '101');
    for (const stay of [{ id: stayId }, await hotel.stay(-1, 1, '501')]) await hotel.act(stay, 'check-in');
    await hotel.act(await hotel.stay(2, 4, '102'), 'check-in', { early: true });
    const { id } = await hotel.stay(0, 1, 'Double');
    const late = await hotel.stay(-1, 1, 'Double');
    const rooms = ['103, Double', '102, Double – occupied now', '101, Double – occupied now'];
    const newStay = (from: number) =>
      `reservations/new?propertyId=${hotel.propertyId}&checkInDate=${day(from)}&checkOutDate=${day(from + 1)}`;
    const choices = async (path: string, field: string) =>
      offered(await pages.open(path), field).filter((label) => /^\d/.test(label));
    for (const [path, field] of [
      [today(), 'unitId'],
      [`reservations/${id}`, 'unitId'],
      [newStay(0), 'place'],
    ] as const)
      expect((await choices(path, field)).toSorted()).toEqual(rooms.toSorted());
    // Late guests come today; 101 was sold last night.
    expect(await choices(`reservations/${late.id}`, 'unitId')).toEqual(['103, Double', '102, Double – occupied now']);
    expect((await choices(newStay(1), 'place')).join()).toMatch(/^(?!.*occupied).*103, Double/);
  });

  it('says that no status of a room blocks its nights', async () => {
    const labels = offered(await pages.open(today()), 'cleaningStatus');
    expect(labels).toContain('Out of order – can still be booked');
  });
});

describe('a block', () => {
  it('is made for a room, shown wherever the room is, and ended', async () => {
    const unitId = hotel.rooms['101'] as string;
    const fields = {
      propertyId: hotel.propertyId,
      unitId,
      kind: 'out_of_order',
      from: day(0),
      until: '',
      reason: 'Leak',
      returnStatus: 'inspected',
    };
    expect(offered(await pages.open(property()), 'returnStatus')).toContain('Inspected');
    const made = await pages.send(property(), 'createUnitBlock', fields);
    expect(made.text).toContain('The nights were blocked.');
    const [block] = await blocksNow();
    expect(block).toMatchObject({
      unitId,
      kind: 'out_of_order',
      from: day(0),
      until: null,
      reason: 'Leak',
      returnStatus: 'inspected',
    });
    expect(made.text).toContain(`101 Out of order ${day(0)} to whenever it is ended Leak`);
    const link = `${pages.at(property())}#${block?.id as string}`;
    expect((await pages.open(today())).html).toContain(`href="${link}"`);
    expect((await pages.open(`calendar?propertyId=${hotel.propertyId}`)).html).toContain(`href="${link}"`);
    expect(made.html).toContain(`id="${block?.id as string}"`);
    const ended = { propertyId: hotel.propertyId, blockId: block?.id as string };
    expect((await pages.send(property(), 'endUnitBlock', ended)).text).toContain('The block was ended.');
    expect(await blocksNow()).toEqual([]);
  });

  it('is made for the whole property, and not over a stay', async () => {
    const fields = { propertyId: hotel.propertyId, unitId: '', kind: 'owner_use', from: day(3), until: day(5) };
    const stay = await hotel.stay(4, 6, '501');
    const refused = await pages.send(property(), 'createUnitBlock', fields);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Another confirmed stay')]);
    await hotel.act(stay, 'cancel');
    await pages.send(property(), 'createUnitBlock', fields);
    expect(await blocksNow()).toEqual([expect.objectContaining({ unitId: null, from: day(3), until: day(5) })]);
  });
});

describe('a stay that others are in the way of', () => {
  const namesThem = ({ html }: { html: string }) =>
    [...(/role="alert">(.*?)<\/p>/s.exec(html)?.[1]?.matchAll(/reservations\/([^"]+)">([^<]+)</g) ?? [])].map(
      ([, id, name]) => [id, name],
    );

  it('leads to them when it cannot be reinstated', async () => {
    const cancelled = await hotel.stay(1, 3, '101');
    await hotel.act(cancelled, 'cancel');
    const other = await hotel.stay(2, 4, '101', { primaryGuest: { name: 'Ana' } });
    const path = `reservations/${cancelled.id}`;
    const refused = await pages.send(path, 'reinstateReservation', { reservationId: cancelled.id as string });
    expect(refused.text).toContain('Move the other stays first');
    expect(namesThem(refused)).toEqual([[other.id, `Ana, 101, ${day(2)} to ${day(4)}`]]);
  });

  it('leads to them when it cannot be longer', async () => {
    const stay = await hotel.stay(0, 2, '101');
    await hotel.act(stay, 'check-in');
    const other = await hotel.stay(2, 4, '101', { primaryGuest: { name: 'Ana' } });
    const fields = { reservationId: stay.id as string, checkInDate: day(0), checkOutDate: day(3) };
    const refused = await pages.send(`reservations/${stay.id}`, 'moveReservation', fields);
    expect(refused.status).toBe(409);
    expect(namesThem(refused)).toEqual([[other.id, `Ana, 101, ${day(2)} to ${day(4)}`]]);
  });
});
