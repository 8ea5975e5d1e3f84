import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { Browser } from '../../../faults/page-client.js';
import { type OwnersConsole, ownersConsole } from '../../support/console.js';
import { day, type Hotel, hotelOf } from '../../support/hotel.js';
import { addPerson } from '../../support/people.js';
import { type Service, startApp } from '../../support/start-app.js';

/** It is the second of December for the organization (UTC), and still the first in Los Angeles. */
let service: Service;
let pages: OwnersConsole;
let hotel: Hotel;
const [localDay, ofOrganization] = ['2030-12-01', '2030-12-02'];
beforeAll(async () => {
  service = await startApp();
  clock.set('2030-12-02T06:15:00Z');
  pages = await ownersConsole(service);
  hotel = await hotelOf(service.api, { Double: ['101', '102', '103'] }, { timezone: 'America/Los_Angeles' });
  // Another one, so that a property has to be chosen.
  await hotelOf(service.api, { Double: ['201'] });
  await guest('Ana', '101', -3, -2, true);
  await guest('Eva', '102', -3, -1, true);
  await guest('Rui', '103', -1, 1);
});
afterAll(async () => {
  clock.restore();
  await service.close();
});

const guest = async (name: string, room: string, from: number, until: number, isHere = false): Promise<Json> => {
  const stay = await hotel.stay(from, until, room, { primaryGuest: { name } });
  if (isHere) await hotel.act(stay, 'check-in');
  return stay;
};

const departures = async (wishes: object): Promise<string[]> => {
  const { body } = await service.api.get(`/day?${new URLSearchParams({ ...wishes })}`);
  return [body.data.date, ...body.data.departures.map(({ guestName }: Json) => guestName)];
};

it('a day of a property is its own today, and of all properties that of the organization', async () => {
  const { propertyId } = hotel;
  expect(await departures({ propertyId })).toEqual([localDay, 'Ana', 'Eva']);
  expect(await departures({ propertyId, date: ofOrganization })).toEqual([ofOrganization]);
  expect(await departures({})).toEqual([ofOrganization, 'Ana', 'Eva']);
  expect(await departures({ date: localDay })).toEqual([localDay, 'Ana', 'Eva']);
  expect(await departures({ date: day(1) })).toEqual([day(1), 'Rui']);
});

it('the Today page of a property is of the day there', async () => {
  const { html, text } = await pages.open(`today?propertyId=${hotel.propertyId}`);
  expect(html).toMatch(new RegExp(`name="date"[^>]* value="${localDay}"`));
  expect(text).not.toContain('Late: expected on');
  const acts = [...html.matchAll(/<button[^>]*aria-label="([^"]+)"/g)].map(([, label]) => label);
  for (const act of ['Check in Rui', 'Check out Ana', 'Check out Eva']) expect(acts).toContain(act);
  // It is tomorrow there.
  const tomorrow = await pages.open(`today?propertyId=${hotel.propertyId}&date=${ofOrganization}`);
  expect(tomorrow.text).not.toContain('Late: expected on');
  expect(tomorrow.html).not.toContain('Check in Rui');
});

it('the form for a stay begins with the day at the property', async () => {
  const { html } = await pages.open(`reservations/new?propertyId=${hotel.propertyId}`);
  expect(html).toMatch(new RegExp(`name="checkInDate"[^>]* value="${localDay}"`));
  expect(html).toMatch(new RegExp(`name="checkOutDate"[^>]* value="${ofOrganization}"`));
});

it('the page of a stay knows the day at its property, also for people who may not see the property', async () => {
  const stay = await hotel.stay(0, 1, '101');
  await service.api.post('/roles', { name: 'desk', permissions: ['reservations:read', 'reservations:write'] });
  const { email } = await addPerson(service, { role: 'desk' });
  const browser = new Browser(service.url);
  await browser.signIn(email as string, 'some long words', pages.at());
  const page = await browser.get(pages.at(`reservations/${stay.id}`));
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Cancel')]);
  expect(page.text).not.toContain('Check in');
});

it('a new reservation whose first night is over at its property says so', async () => {
  const formOf = (from: string) =>
    pages.open(`reservations/new?propertyId=${hotel.propertyId}&checkInDate=${from}&checkOutDate=${day(5)}`);
  expect((await formOf('2030-11-30')).text).toContain(`The first night is over: it is ${localDay} at the property.`);
  expect((await formOf(localDay)).text).not.toContain('The first night is over');
});
