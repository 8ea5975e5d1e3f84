import { hidden } from '../../../faults/page-client.js';
import type { Json } from '../../support/api.js';
import { aSecondForEachTest } from '../../support/clock.js';
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
aSecondForEachTest();
beforeEach(async () => {
  // With a key of its own, because a key has a limit per second.
  hotel = await hotelOf((await keyWith(service.api)).api, { Double: ['101', '102', '103'], Suite: ['501'] });
});
afterAll(() => service.close());

const calendarOf = ({ id }: Json, wishes = {}) =>
  `calendar?${new URLSearchParams({ propertyId: hotel.propertyId, reservationId: id, ...wishes })}`;
const stayNow = async ({ id }: Json): Promise<Json> => (await service.api.get(`/reservations/${id}`)).body.data;

describe('a stay in house', () => {
  it.each([
    ['the calendar', (stay: Json) => calendarOf(stay)],
    ['its own page', ({ id }: Json) => `reservations/${id}`],
  ])(
    'moves to another room from tonight on, from %s, and its nights so far stay where they were',
    async (_, pathOf) => {
      const stay = await hotel.stay(-2, 3, '101');
      await hotel.act(stay, 'check-in');
      // Taken before today, and free from then on.
      await hotel.stay(-1, 0, '102');
      await hotel.stay(1, 2, '103');
      const page = await pages.open(pathOf(stay));
      expect(offered(page, 'unitId')).toEqual(['Choose', '102, Double', '501, Suite – not the booked type']);
      expect(page.html).toMatch(new RegExp(`name="from"[^>]* value="${day(0)}"`));
      const fields = { reservationId: stay.id as string, from: day(0), unitId: valueOf(page, '102, Double') };
      expect((await pages.send(pathOf(stay), 'moveReservation', fields)).text).toContain('The stay was moved.');
      expect((await stayNow(stay)).segments).toEqual([
        expect.objectContaining({ unitId: hotel.rooms['101'], from: day(-2), until: day(0) }),
        expect.objectContaining({ unitId: hotel.rooms['102'], from: day(0), until: day(3) }),
      ]);
    },
  );

  it.each([
    ['today', 0],
    ['yesterday', -1],
  ])('that was to end %s continues in another room', async (_, until) => {
    const stay = await hotel.stay(-2, until, '101');
    await hotel.act(stay, 'check-in');
    await hotel.stay(0, 1, '102');
    const path = `reservations/${stay.id}`;
    const page = await pages.open(path);
    expect(offered(page, 'unitId')).toEqual(['Choose', '103, Double', '501, Suite – not the booked type']);
    expect(page.html).toMatch(new RegExp(`name="checkOutDate"[^>]* value="${day(1)}"`));
    const typed = { from: day(0), unitId: valueOf(page, '103, Double'), checkOutDate: day(2) };
    const moved = await pages.send(path, 'moveReservation', { reservationId: stay.id as string, ...typed });
    expect(moved.text).toContain('The stay was moved.');
    expect(await stayNow(stay)).toMatchObject({ unitId: hotel.rooms['103'], checkOutDate: day(2) });
  });

  it('is offered all rooms for a later night where none is free from today on', async () => {
    const stay = await hotel.stay(-2, 3, '101');
    await hotel.act(stay, 'check-in');
    for (const room of ['102', '103', '501']) await hotel.stay(0, 1, room);
    const page = await pages.open(`reservations/${stay.id}`);
    expect(offered(page, 'unitId')).toEqual([
      'Choose',
      '102, Double',
      '103, Double',
      '501, Suite – not the booked type',
    ]);
    expect(page.text).toContain('None is free from today on. Choose a later night, or an earlier departure.');
  });

  it('is offered the room to which it moves later, but not where others are in it before or after', async () => {
    const stay = await hotel.stay(-2, 3, '101');
    await hotel.act(stay, 'check-in');
    await hotel.stay(0, 3, '103');
    await hotel.stay(1, 2, '501');
    await hotel.act(stay, 'move', { unitId: hotel.rooms['102'], from: day(1) });
    const path = `reservations/${stay.id}`;
    const page = await pages.open(path);
    expect(offered(page, 'unitId')).toEqual(['Choose', '102, Double']);
    expect(page.text).toContain('Rooms that are free from today on.');
    const fields = { reservationId: stay.id as string, from: day(0), unitId: valueOf(page, '102, Double') };
    expect((await pages.send(path, 'moveReservation', fields)).text).toContain('The stay was moved.');
    expect((await stayNow(stay)).segments.at(-1)).toMatchObject({ unitId: hotel.rooms['102'], from: day(0) });
    await hotel.act(stay, 'move', { unitId: hotel.rooms['101'], from: day(0) });
    await hotel.act(stay, 'move', { unitId: hotel.rooms['102'], from: day(1) });
    await hotel.stay(0, 1, '102');
    expect((await pages.open(path)).text).toContain('None is free from today on.');
  });

  it('shows a planned change of rooms, which can be cancelled', async () => {
    const stay = await hotel.stay(-2, 3, '101');
    await hotel.act(stay, 'check-in');
    const path = `reservations/${stay.id}`;
    expect((await pages.open(path)).text).not.toContain('Cancel the change of rooms');
    await hotel.act(stay, 'move', { unitId: hotel.rooms['102'], from: day(1) });
    const { text } = await pages.open(path);
    expect(text).toContain(`101, 102 from ${day(1)}`);
    expect(text).toContain('Cancel the change of rooms');
    const kept = { reservationId: stay.id as string, unitId: hotel.rooms['101'] as string, from: day(0) };
    await pages.send(path, 'moveReservation', kept);
    expect((await stayNow(stay)).segments).toMatchObject([{ unitId: hotel.rooms['101'], until: day(3) }]);
  });

  it.each([
    ['the calendar', (stay: Json) => calendarOf(stay)],
    ['its own page', ({ id }: Json) => `reservations/${id}`],
  ])('whose guests came early begins today, from %s', async (_, pathOf) => {
    const stay = await hotel.stay(2, 4, '101');
    await hotel.act(stay, 'check-in', { early: true });
    const page = await pages.open(pathOf(stay));
    const fields = fixedIn(page, 'Begin the stay today');
    const moved = await pages.send(pathOf(stay), 'moveReservation', fields);
    expect(moved.text).toContain('The stay was moved.');
    expect(moved.text).not.toContain('Begin the stay today');
    expect(await stayNow(stay)).toMatchObject({ checkInDate: day(0), checkOutDate: day(4), warnings: [] });
  });

  it('leaves later, in the rooms that it had', async () => {
    const stay = await hotel.stay(-2, 1, '101');
    await hotel.act(stay, 'check-in');
    const fields = { reservationId: stay.id as string, checkInDate: day(-2), checkOutDate: day(3) };
    await pages.send(`reservations/${stay.id}`, 'moveReservation', fields);
    expect(await stayNow(stay)).toMatchObject({ checkOutDate: day(3), unitId: hotel.rooms['101'] });
  });
});

describe('who stays, and what staff should know', () => {
  const details = {
    adults: '2',
    children: '1',
    infants: '',
    pets: '',
    channel: 'phone',
    confirmationCode: '',
    notes: 'By train',
  };

  it('are changed on the page of the stay, and its guest is kept', async () => {
    const stay = await hotel.stay(3, 5, '101', { primaryGuest: { name: 'Ana' }, confirmationCode: 'A1' });
    const path = `reservations/${stay.id}`;
    const { id: reservationId } = stay as { id: string };
    const saved = await pages.send(path, 'updateReservation', { reservationId, ...details });
    expect(saved.text).toContain('The stay was changed.');
    const known = { channel: 'phone', confirmationCode: null, notes: 'By train', primaryGuest: { name: 'Ana' } };
    expect(await stayNow(stay)).toMatchObject({ ...known, guestCounts: { adults: 2, children: 1 } });
    const refused = await pages.send(path, 'updateReservation', { reservationId, ...details, adults: '' });
    expect(refused.html).toMatch(/<details class="folded" open[^>]*><summary>Change the details/);
    expect(await stayNow(stay)).toMatchObject({ guestCounts: { adults: 2, children: 1 } });
    await pages.send(path, 'updateReservation', { reservationId, ...details, adults: '', children: '' });
    expect((await stayNow(stay)).guestCounts).toBeNull();
  });

  it('the guest is changed, or added', async () => {
    const stay = await hotel.stay(3, 5, '101', { primaryGuest: { name: 'Ana', phone: '+351 1' } });
    const guestId = (stay.primaryGuest as Json).id as string;
    const path = `reservations/${stay.id}`;
    const named = { name: 'Ana Reis', email: 'ana@guests.example', phone: '' };
    expect((await pages.send(path, 'updateGuest', { guestId, ...named })).text).toContain('The guest was changed.');
    expect((await service.api.get(`/guests/${guestId}`)).body.data).toMatchObject({ ...named, phone: null });
    const nobodys = await hotel.stay(3, 5, '102', { notes: 'Call back' });
    const added = { reservationId: nobodys.id as string, name: 'Rui', email: '', phone: '' };
    await pages.send(`reservations/${nobodys.id}`, 'updateReservation', added);
    expect(await stayNow(nobodys)).toMatchObject({ primaryGuest: { name: 'Rui' }, notes: 'Call back' });
    expect((await pages.open(`reservations/${nobodys.id}`)).text).not.toContain('Add the guest');
  });
});

it('a stay without a room says which type it was sold as', async () => {
  const stay = await hotel.stay(3, 5, 'Double');
  expect((await pages.open(`reservations/${stay.id}`)).text).toContain('Double, no room yet');
});

it('a no-show can be undone, released or cancelled on its page', async () => {
  const stay = await hotel.stay(0, 2, '101');
  const path = `reservations/${stay.id}`;
  await hotel.act(stay, 'no-show');
  const { text } = await pages.open(path);
  for (const label of ['Undo the no-show', 'Release the nights', 'Cancel']) expect(text).toContain(label);
  const fields = { reservationId: stay.id as string };
  await pages.send(path, 'markNoShow', { ...fields, release: 'true' });
  expect(await stayNow(stay)).toMatchObject({ stayStatus: 'no_show', occupiedFrom: null });
  expect((await pages.open(path)).text).not.toContain('Release the nights');
  expect((await pages.send(path, 'undoNoShow', fields)).text).toContain('The no-show was undone.');
  expect(await stayNow(stay)).toMatchObject({ stayStatus: 'not_arrived', occupiedFrom: day(0) });
});

it('a day use in a room of other guests warns of them', async () => {
  await hotel.act(await hotel.stay(-1, 2, '101'), 'check-in');
  const hours = { arrivalAt: `${day(0)}T11:00:00Z`, departureAt: `${day(0)}T16:00:00Z` };
  const { id } = await hotel.stay(0, 0, '101', hours);
  const { text } = await pages.open(`reservations/${id as string}`);
  expect(text).toContain('Other guests are in this room, or are expected during these hours.');
});

it('a reservation says where its times are', async () => {
  const stay = await hotel.stay(3, 5, '101');
  expect((await pages.open(`reservations/${stay.id}`)).text).toContain('Times are local to each property.');
});

describe('a future stay', () => {
  it('is offered the rooms that are free on the chosen nights, and says which are of another type', async () => {
    const stay = await hotel.stay(3, 5, '101');
    await hotel.stay(4, 6, '102');
    await hotel.stay(6, 8, '101');
    const rooms = async (wishes?: object) => offered(await pages.open(calendarOf(stay, wishes)), 'place');
    expect(await rooms()).toEqual([
      'Choose',
      'Any Double (1 free)',
      '103, Double',
      'Any Suite (1 free) – not the booked type',
      '501, Suite – not the booked type',
    ]);
    expect(await rooms({ checkInDate: day(6), checkOutDate: day(8) })).toEqual([
      'Choose',
      'The same as now',
      'Any Double (2 free)',
      '103, Double',
      // Its guests leave at noon of the day.
      '102, Double',
      'Any Suite (1 free) – not the booked type',
      '501, Suite – not the booked type',
    ]);
    const reversed = await pages.open(calendarOf(stay, { checkInDate: day(8), checkOutDate: day(6) }));
    expect(reversed.text).toContain('The departure must be after the first night.');
    expect(offered(reversed, 'place')).toEqual([]);
  });

  it('moves to what was chosen, and not without a choice', async () => {
    const stay = await hotel.stay(3, 5, '101');
    const fields = { reservationId: stay.id as string, checkInDate: day(3), checkOutDate: day(5) };
    const none = await pages.send(calendarOf(stay), 'moveReservation', { ...fields, place: '' });
    expect([none.status, none.text.includes('The stay was moved.')]).toEqual([404, false]);
    const moved = { ...fields, place: valueOf(await pages.open(calendarOf(stay)), '102, Double') };
    expect((await pages.send(calendarOf(stay), 'moveReservation', moved)).text).toContain('The stay was moved.');
    const later = { ...fields, checkInDate: day(4), checkOutDate: day(6), place: 'as now' };
    await pages.send(calendarOf(stay), 'moveReservation', later);
    expect(await stayNow(stay)).toMatchObject({ checkInDate: day(4), unitId: hotel.rooms['102'] });
  });

  it('is not offered what can be done only on its day', async () => {
    const [later, today] = [await hotel.stay(3, 5, '101'), await hotel.stay(0, 2, 'Double')];
    const buttons = async ({ id }: Json) => {
      const { html } = await pages.open(`reservations/${id}`);
      return ['checkInReservation', 'markNoShow', 'cancelReservation'].filter((name) =>
        html.includes(`value="${name}"`),
      );
    };
    expect(await buttons(later)).toEqual(['cancelReservation']);
    expect(await buttons(today)).toEqual(['markNoShow', 'cancelReservation']);
    await hotel.act(today, 'assign-unit', { unitId: hotel.rooms['102'] });
    expect(await buttons(today)).toEqual(['checkInReservation', 'markNoShow', 'cancelReservation']);
  });
});

it('a stay that has ended is offered no move', async () => {
  const stay = await hotel.stay(-2, 1, '101');
  for (const verb of ['check-in', 'check-out']) await hotel.act(stay, verb);
  for (const path of [calendarOf(stay), `reservations/${stay.id}`])
    expect((await pages.open(path)).html).not.toContain('value="moveReservation"');
});

it('a stay with more guests than its room has room for says so after the booking', async () => {
  await service.api.patch(`/properties/${hotel.propertyId}/units/${hotel.rooms['101']}`, { capacity: 2 });
  const nights = { propertyId: hotel.propertyId, checkInDate: day(3), checkOutDate: day(5) };
  const typed = { ...nights, place: hotel.rooms['101'] as string, name: 'Five', adults: '5' };
  const made = await pages.send(`reservations/new?${new URLSearchParams(nights)}`, 'createReservation', typed);
  expect(made.text).toContain('The reservation was created.');
  expect(made.text).toContain('More guests are booked than the room, or its type, has room for.');
});

describe('an error', () => {
  it('is a sentence for people, and the page after it can be used immediately', async () => {
    const [stay, other] = [await hotel.stay(3, 5, '101'), await hotel.stay(3, 5, '102')];
    const fields = { reservationId: stay.id as string, checkInDate: day(3), checkOutDate: day(5) };
    const taking = { ...fields, place: hotel.rooms['102'] as string };
    const refused = await pages.send(calendarOf(stay), 'moveReservation', taking);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining(
        'Another confirmed stay has this room on some of these nights, or at some of these hours.',
      ),
    ]);
    expect(refused.text).not.toMatch(/Reload|new key/);
    await hotel.act(other, 'cancel');
    const again = { ...hidden(refused), operation: 'moveReservation', ...taking };
    expect((await pages.browser.post(pages.at(calendarOf(stay)), again)).text).toContain('The stay was moved.');
    const wrong = await pages.send(calendarOf(stay), 'moveReservation', { ...taking, checkOutDate: day(2) });
    expect(wrong.text).toContain('The departure must be after the first night.');
    expect((await pages.open('reservations/none')).text).toContain('It was not found.');
  });
});

describe('the form of a new reservation', () => {
  const path = (from: number, until: number) =>
    `reservations/new?${new URLSearchParams({ propertyId: hotel.propertyId, checkInDate: day(from), checkOutDate: day(until) })}`;
  const nights = (from: number, until: number) => ({
    propertyId: hotel.propertyId,
    checkInDate: day(from),
    checkOutDate: day(until),
  });

  it('marks the fields that are wrong, by their own names', async () => {
    const typed = { place: hotel.types.Double as string, name: 'Clara', email: 'clara@example', adults: 'two' };
    const { status, html, text } = await pages.send(path(3, 5), 'createReservation', { ...nights(3, 5), ...typed });
    expect(status).toBe(400);
    const marked = [...html.matchAll(/name="(\w+)"[^>]*aria-invalid="true"/g)].map(([, name]) => name);
    expect(marked).toEqual(['email', 'adults']);
    expect(text).toContain('Email: Pass an email address');
    expect(text).not.toMatch(/primaryGuest|guestCounts/);
  });

  it('says that dates are reversed before anything is typed', async () => {
    const page = await pages.open(path(5, 3));
    expect(page.text).toContain('The departure must not be before the first night.');
    expect(page.html).not.toContain('value="createReservation"');
  });

  it('books a day use by its hours, also in a certain room', async () => {
    const during = (fromTime: string, untilTime: string) =>
      `${path(3, 3)}&${new URLSearchParams({ fromTime, untilTime })}`;
    expect((await pages.open(path(3, 3))).html).not.toContain('value="createReservation"');
    const hours = { fromTime: '10:00', untilTime: '16:00' };
    const page = await pages.open(during('10:00', '16:00'));
    const rooms = ['101, Double', '102, Double', '103, Double', '501, Suite'];
    expect(offered(page, 'place')).toEqual(['Any Double', 'Any Suite', ...rooms, 'All of Hotel']);
    const typed = { place: valueOf(page, '501, Suite'), name: 'Finn', adults: '1', ...hours };
    const made = await pages.send(during('10:00', '16:00'), 'createReservation', { ...nights(3, 3), ...typed });
    const stay = await stayNow({ id: made.url.pathname.split('/').at(-1) });
    expect(stay).toMatchObject({
      unitId: hotel.rooms['501'],
      arrivalLocal: `${day(3)}T10:00`,
      departureLocal: `${day(3)}T16:00`,
    });
    for (const { text } of [made, await pages.open(calendarOf(stay))]) {
      expect(text).toContain(`Day ${day(3)}, 10:00 to 16:00`);
      expect(text).not.toContain('Nights');
    }
    expect(page.text).toContain('Times are local to each property.');
    const later = offered(await pages.open(during('15:00', '18:00')), 'place');
    expect(later).toEqual(['Any Double', ...rooms.slice(0, 3)]);
    for (const wrong of [during('16:00', '10:00'), during('10:00', '4pm'), during('10:00', '')]) {
      const { text, html } = await pages.open(wrong);
      expect(text).toContain('Enter two times such as 10:00 and 16:00, the earlier one first.');
      expect(html).not.toContain('value="createReservation"');
    }
    const unreadable = { ...nights(3, 3), ...typed, untilTime: '4pm' };
    expect((await pages.send(path(3, 3), 'createReservation', unreadable)).text).toContain(
      'Enter a time such as 16:00.',
    );
    const crossing = { ...nights(3, 3), ...typed, fromTime: '15:00', untilTime: '18:00' };
    expect((await pages.send(path(3, 3), 'createReservation', crossing)).status).toBe(409);
  });
});
