import type { Json } from '../../support/api.js';
import { fixedIn, offered, type OwnersConsole, ownersConsole, valueOf } from '../../support/console.js';
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
  hotel = await hotelOf((await keyWith(service.api)).api, { Double: ['101', '102', '103', '104'], Suite: ['501'] });
});
afterAll(() => service.close());

const calendarOf = ({ id }: Json, wishes = {}) =>
  `calendar?${new URLSearchParams({ propertyId: hotel.propertyId, reservationId: id, ...wishes })}`;
const stayNow = async ({ id }: Json): Promise<Json> => (await service.api.get(`/reservations/${id}`)).body.data;

const hours = (from: string, until: string) => ({
  arrivalAt: `${day(0)}T${from}:00Z`,
  departureAt: `${day(0)}T${until}:00Z`,
  primaryGuest: { name: 'Finn' },
});
/** Guests who should have left yesterday. */
async function overdueIn(room: string): Promise<void> {
  await hotel.act(await hotel.stay(-2, -1, room), 'check-in');
}
const occupied = 'Other guests are in this room, or are expected during these hours.';

describe('the calendar offers a day use', () => {
  it('the rooms that are free during its hours, and says when that is', async () => {
    await hotel.act(await hotel.stay(-1, 2, '102'), 'check-in');
    const block = { unitId: hotel.rooms['103'], kind: 'out_of_order', from: day(0), until: day(1) };
    await service.api.post(`/properties/${hotel.propertyId}/unit-blocks`, block);
    await hotel.act(await hotel.stay(-1, 0, '104'), 'check-in');
    await hotel.stay(0, 0, '501', hours('15:00', '16:00'));
    const page = await pages.open(calendarOf(await hotel.stay(0, 0, '101', hours('13:00', '17:00'))));
    // The guests of 104 leave at noon.
    expect(offered(page, 'place')).toEqual(['Choose', 'Any Double', '104, Double – occupied now']);
    expect(page.text).toContain(`Room on ${day(0)}, 13:00 to 17:00`);
    expect(page.text).not.toMatch(/First night|Room from/);
    const before = await pages.open(calendarOf(await hotel.stay(0, 0, '101', hours('09:00', '11:00'))));
    expect(offered(before, 'place')).toEqual([
      'Choose',
      'Any Double',
      'Any Suite – not the booked type',
      '501, Suite – not the booked type',
    ]);
  });

  it('another day, with the same hours and its room', async () => {
    const stay = await hotel.stay(0, 0, '101', hours('13:00', '17:00'));
    await hotel.stay(3, 5, '104');
    const path = calendarOf(stay, { checkInDate: day(3) });
    const page = await pages.open(path);
    expect(offered(page, 'place').slice(0, 5)).toEqual([
      'Choose',
      'The same as now',
      'Any Double',
      '102, Double',
      '103, Double',
    ]);
    expect(offered(page, 'place').join()).not.toContain('All of Hotel');
    const fields = { reservationId: stay.id as string, checkInDate: day(3), checkOutDate: day(3), place: 'as now' };
    expect((await pages.send(path, 'moveReservation', fields)).text).toContain('The stay was moved.');
    expect(await stayNow(stay)).toMatchObject({ unitId: hotel.rooms['101'], arrivalLocal: `${day(3)}T13:00` });
    await hotel.stay(4, 6, '101');
    const taken = offered(await pages.open(calendarOf(stay, { checkInDate: day(5) })), 'place');
    expect(taken).not.toContain('The same as now');
  });

  it('the whole property where all rooms are free', async () => {
    const stay = await hotel.stay(0, 0, '101', hours('13:00', '17:00'));
    expect(offered(await pages.open(calendarOf(stay)), 'place').at(-1)).toMatch(/^All of Hotel/);
  });
});

it.each(['page', 'board'])(
  'a day use without a room gets one that is free during its hours, on its %s',
  async (place) => {
    await hotel.act(await hotel.stay(-1, 2, '102'), 'check-in');
    await hotel.stay(0, 0, '103', hours('14:00', '15:00'));
    await hotel.act(await hotel.stay(-1, 0, '104'), 'check-in');
    const stay = await hotel.stay(0, 0, 'Double', hours('13:00', '17:00'));
    const path = place === 'page' ? `reservations/${stay.id}` : `today?propertyId=${hotel.propertyId}`;
    const page = await pages.open(path);
    expect(page.text).toContain('Rooms that are free for the whole stay:');
    // The guests of 104 leave at noon.
    expect(offered(page, 'unitId')).toEqual(['101, Double', '104, Double – occupied now']);
    await pages.send(path, 'assignUnit', {
      reservationId: stay.id as string,
      unitId: valueOf(page, '104, Double – occupied now'),
    });
    expect(await stayNow(stay)).toMatchObject({ unitId: hotel.rooms['104'], checkOutDate: day(0) });
    expect(offered(await pages.open(`reservations/${stay.id}`), 'unitId')).toEqual(['101, Double']);
  },
);

it('a day use whose guests came early begins today, and stays one', async () => {
  const stay = await hotel.stay(1, 1, '101', {
    arrivalAt: `${day(1)}T13:00:00Z`,
    departureAt: `${day(1)}T17:00:00Z`,
  });
  await hotel.act(stay, 'check-in', { early: true });
  const path = `reservations/${stay.id}`;
  const fields = fixedIn(await pages.open(path), 'Begin the stay today');
  expect((await pages.send(path, 'moveReservation', fields)).text).toContain('The stay was moved.');
  expect(await stayNow(stay)).toMatchObject({
    checkInDate: day(0),
    checkOutDate: day(0),
    arrivalLocal: `${day(0)}T13:00`,
  });
});

it('rooms that others have not left when the guests come are offered last', async () => {
  await hotel.stay(0, 1, '101');
  const stay = await hotel.stay(1, 2, 'Double', { arrivalAt: `${day(1)}T10:00:00Z` });
  const pathsOf = [`reservations/${stay.id}`, `today?propertyId=${hotel.propertyId}&date=${day(1)}`];
  for (const path of pathsOf) {
    expect(offered(await pages.open(path), 'unitId').at(-1)).toBe('101, Double');
  }
  // At the check-in time the room is empty.
  const later = await hotel.stay(1, 2, 'Double', { arrivalAt: `${day(1)}T13:00:00Z` });
  expect(offered(await pages.open(`reservations/${later.id}`), 'unitId')[0]).toBe('101, Double');
});

it('a day use in house gets another room for its hours on its page', async () => {
  const stay = await hotel.stay(0, 0, '101', hours('13:00', '17:00'));
  await hotel.act(stay, 'check-in');
  await hotel.act(await hotel.stay(-1, 2, '102'), 'check-in');
  const path = `reservations/${stay.id}`;
  const page = await pages.open(path);
  expect(page.text).toContain('Rooms that are free from 13:00 to 17:00:');
  expect(offered(page, 'place')).toEqual(['Choose', '103, Double', '104, Double', '501, Suite – not the booked type']);
  const to = { reservationId: stay.id as string, checkInDate: day(0), checkOutDate: day(0) };
  await pages.send(path, 'moveReservation', { ...to, place: valueOf(page, '103, Double') });
  expect(await stayNow(stay)).toMatchObject({ unitId: hotel.rooms['103'], checkOutDate: day(0) });
});

describe('the warnings of a stay', () => {
  it('are shown in the calendar after it was moved', async () => {
    await overdueIn('102');
    const stay = await hotel.stay(0, 0, '101', hours('13:00', '17:00'));
    expect((await pages.open(calendarOf(stay))).text).not.toContain(occupied);
    const to = { reservationId: stay.id as string, checkInDate: day(0), checkOutDate: day(0) };
    const moved = await pages.send(calendarOf(stay), 'moveReservation', { ...to, place: hotel.rooms['102'] as string });
    expect(moved.text).toContain('The stay was moved.');
    expect(moved.text).toContain(occupied);
  });

  it('are shown on the Today page after its guests were checked in', async () => {
    await overdueIn('102');
    const stay = await hotel.stay(0, 0, '102', hours('13:00', '17:00'));
    const today = `today?propertyId=${hotel.propertyId}`;
    const done = await pages.send(today, 'checkInReservation', { reservationId: stay.id as string });
    expect(done.text).toContain('The guests were checked in.');
    expect(done.text).toMatch(new RegExp(`Finn *: *${occupied}`));
    expect((await pages.open(today)).text).not.toContain(occupied);
  });
});

it('a new day use takes 9:00 for 09:00, and keeps its hours where another day is chosen', async () => {
  const when = `checkInDate=${day(1)}&checkOutDate=${day(1)}&fromTime=9:00&untilTime=17:00`;
  const page = await pages.open(`reservations/new?propertyId=${hotel.propertyId}&${when}`);
  expect(page.text).not.toContain('Enter two times');
  expect(offered(page, 'place')).toContain('Any Double');
  expect(fixedIn(page, 'Show free rooms')).toMatchObject({ fromTime: '09:00', untilTime: '17:00' });
});
