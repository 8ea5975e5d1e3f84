import { Browser, type PageReply } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { type OwnersConsole, ownersConsole } from '../../support/console.js';
import { keyWith } from '../../support/factories.js';
import { day, type Hotel, hotelOf } from '../../support/hotel.js';
import { addPerson } from '../../support/people.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let pages: OwnersConsole;
let hotel: Hotel;
beforeAll(async () => {
  service = await startApp();
  clock.set('2030-11-29T18:01:30Z');
  pages = await ownersConsole(service);
  const { api } = await keyWith(service.api);
  hotel = await hotelOf(api, { Double: ['101', '102', '103'] }, { timezone: 'America/Los_Angeles' });
});
afterAll(async () => {
  clock.restore();
  await service.close();
});

/** Somebody who may see the property's stays, and not the property. */
async function withoutProperties(permissions: readonly string[]): Promise<(path: string) => Promise<PageReply>> {
  const name = `desk-${permissions.length}`;
  await service.api.post('/roles', { name, permissions });
  const { email } = await addPerson(service, { role: name });
  const browser = new Browser(service.url);
  await browser.signIn(email as string, 'some long words', pages.at());
  return (path) => browser.get(pages.at(path));
}

const pageOf = ({ id }: Record<string, unknown>) => `reservations/${id as string}`;

describe('the page of guests who left early', () => {
  it('says when they left, on the clock of the property', async () => {
    const stay = await hotel.stay(-2, 3, '101');
    await hotel.act(stay, 'check-in');
    const before = await pages.open(pageOf(stay));
    expect(before.text).toContain(`Departure ${day(3)}, 12:00`);
    expect(before.text).not.toMatch(/Left|Booked departure/);
    await hotel.act(stay, 'check-out');
    const { text } = await pages.open(pageOf(stay));
    expect(text).toContain(`Booked departure ${day(3)}, 12:00 Left 2030-11-29, 10:01`);
    const inCalendar = `calendar?${new URLSearchParams({ propertyId: hotel.propertyId, reservationId: stay.id })}`;
    expect((await pages.open(inCalendar)).text).toContain('Left 2030-11-29, 10:01');
  });

  it('names the clock for people who may not see the property', async () => {
    const stay = await hotel.stay(-2, 3, '102');
    for (const verb of ['check-in', 'check-out']) await hotel.act(stay, verb);
    const open = await withoutProperties(['reservations:read', 'reservations:write']);
    expect((await open(pageOf(stay))).text).toContain('Left 2030-11-29, 18:01 (UTC)');
  });
});

describe('the page of a cancelled stay', () => {
  it('says when and why it was cancelled, and reinstates it', async () => {
    const stay = await hotel.stay(3, 5, '101');
    const to = { reservationId: stay.id as string };
    expect((await pages.open(pageOf(stay))).text).not.toMatch(/Cancelled|Reinstate/);
    const cancelled = await pages.send(pageOf(stay), 'cancelReservation', { ...to, reason: 'Ill' });
    expect(cancelled.text).toContain('Cancelled 2030-11-29, 10:01 Reason for the cancellation Ill');
    const reader = await withoutProperties(['reservations:read']);
    for (const [{ html }, isOffered] of [
      [cancelled, true],
      [await reader(pageOf(stay)), false],
    ] as const)
      expect(html.includes('value="reinstateReservation"')).toBe(isOffered);
    const back = await pages.send(pageOf(stay), 'reinstateReservation', to);
    expect(back.text).toContain('The reservation was reinstated.');
    expect(back.text).toContain('State Confirmed');
    expect(back.text).not.toContain('Reason for the cancellation');
  });

  it('says why it cannot be reinstated', async () => {
    const stay = await hotel.stay(6, 8, '101');
    await hotel.act(stay, 'cancel');
    await hotel.stay(6, 8, '101');
    const refused = await pages.send(pageOf(stay), 'reinstateReservation', { reservationId: stay.id as string });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Other stays have these nights')]);
  });
});
