import { jest } from '@jest/globals';
import ICAL from 'ical.js';
import { FeedsRepository } from '../../../src/features/reservations/ical/feeds.repository.js';
import { CalendarFeedsRepository } from '../../../src/tenancy/stays/calendar-feeds.repository.js';
import { CalendarWork } from '../../../src/features/reservations/ical/calendar-work.service.js';
import { clock } from '../../support/clock.js';
import { keyWith } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import type { Api } from '../../support/api.js';
import { type Service, startApp } from '../../support/start-app.js';
import { startProcess } from '../../support/service-process.js';

let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startApp();
  ({ api } = await keyWith(service.api));
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => service.close());

const name = 'Casa; "Azul", à beira-mar\\norte com um nome bastante mais comprido do que uma linha inteira';

async function property(): Promise<{ propertyId: string; url: string }> {
  const { body } = await api.post('/properties', { name, timezone: 'Europe/Lisbon' });
  const propertyId = body.data.id as string;
  const { url } = (await api.post(`/properties/${propertyId}/calendar-feed/reveal`)).body.data as { url: string };
  return { propertyId, url };
}

const book = async (propertyId: string, checkInDate: string, checkOutDate: string, wishes: object = {}) =>
  (await api.post('/reservations', { propertyId, checkInDate, checkOutDate, ...wishes })).body.data;

describe("a property's calendar", () => {
  it('shows its confirmed stays as days, and nobody in them', async () => {
    const { propertyId, url } = await property();
    const stay = await book(propertyId, '2029-06-01', '2029-06-04', {
      primaryGuest: { name: 'Ana Reis' },
      notes: 'Vegan',
    });
    await book(propertyId, '2029-07-01', '2029-07-04', { status: 'inquiry' });
    const gone = await book(propertyId, '2029-08-01', '2029-08-04');
    await api.post(`/reservations/${gone.id}/cancel`);
    const response = await fetch(url);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('private, max-age=300');
    expect(text).not.toMatch(/Ana|Vegan/);
    const calendar = new ICAL.Component(ICAL.parse(text) as ConstructorParameters<typeof ICAL.Component>[0]);
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe(name);
    const events = calendar.getAllSubcomponents('vevent');
    expect(events).toHaveLength(1);
    const value = (property: string) => String(events[0]?.getFirstPropertyValue(property));
    expect(['uid', 'dtstart', 'dtend', 'summary'].map(value)).toEqual([
      `${stay.id}@property-operations`,
      '2029-06-01',
      '2029-06-04',
      'Reserved',
    ]);
    expect(text).toContain('DTSTART;VALUE=DATE:20290601\r\n');
    const longest = Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)));
    expect(longest).toBeLessThanOrEqual(75);
  });

  it('is generated when a stay has changed, and otherwise sent from the cache', async () => {
    const { propertyId, url } = await property();
    const made = jest.spyOn(service.app.get(CalendarWork), 'pack');
    await book(propertyId, '2029-06-01', '2029-06-04');
    // Simultaneous requests get one file.
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => fetch(url)));
    const etag = first?.headers.get('etag') as string;
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    expect(others.map(({ headers }) => headers.get('etag'))).toEqual(Array(4).fill(etag));
    expect(made).toHaveBeenCalledTimes(1);
    const again = await fetch(url, { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect(made).toHaveBeenCalledTimes(1);
    await api.patch(`/properties/${propertyId}`, { name: 'Renamed' });
    const renamed = await fetch(url, { headers: { 'If-None-Match': etag } });
    expect([renamed.status, await renamed.text()]).toEqual([200, expect.stringContaining('X-WR-CALNAME:Renamed')]);
  });

  it('is looked up once at a time, for any number of requests', async () => {
    const { url } = await property();
    await fetch(url);
    const find = jest.spyOn(service.app.get(CalendarFeedsRepository), 'find');
    const files = service.app.get(FeedsRepository);
    const kept = files.kept.bind(files);
    const look = jest.spyOn(files, 'kept').mockImplementation(async (shown) => {
      await until(
        () => Promise.resolve(find.mock.results.length),
        (asked) => asked >= 20,
      );
      return await kept(shown);
    });
    const asked = await Promise.all(Array.from({ length: 20 }, () => fetch(url)));
    expect(asked.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(look.mock.calls.length).toBeLessThan(10);
  });

  it.each(['created', 'moved', 'cancelled', 'moved away', 'back in use'])(
    'shows immediately that a stay was %s',
    async (how) => {
      const { propertyId, url } = await property();
      const other = (await property()).propertyId;
      const { id } = await book(propertyId, '2029-06-01', '2029-06-04');
      const lines = async () => (await (await fetch(url)).text()).match(/^DTSTART.*(?=\r)/gm) ?? [];
      expect(await lines()).toEqual(['DTSTART;VALUE=DATE:20290601']);
      // A fixed time, so that the time does not reveal a change.
      clock.set(Date.now());
      const dates = { checkInDate: '2029-06-11', checkOutDate: '2029-06-12' };
      if (how === 'created') await book(propertyId, dates.checkInDate, dates.checkOutDate);
      if (how === 'moved') await api.post(`/reservations/${id}/move`, dates);
      if (how === 'moved away') await api.post(`/reservations/${id}/move`, { ...dates, propertyId: other });
      if (how === 'cancelled' || how === 'back in use') await api.post(`/reservations/${id}/cancel`);
      if (how === 'back in use') await book(propertyId, dates.checkInDate, dates.checkOutDate);
      clock.restore();
      const expected = { created: ['01', '11'], moved: ['11'], 'back in use': ['11'] }[how] ?? [];
      expect(await lines()).toEqual(expected.map((day) => `DTSTART;VALUE=DATE:202906${day}`));
    },
  );

  it.each([
    ['gzip, br', 'gzip'],
    ['br', null],
    ['identity', null],
    ['gzip;q=0', null],
  ])('is sent compressed to clients that accept it: %s', async (accepted, encoding) => {
    const { propertyId, url } = await property();
    await book(propertyId, '2029-06-01', '2029-06-04');
    const response = await fetch(url, { headers: { 'Accept-Encoding': accepted } });
    expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
      encoding,
      expect.stringContaining('Accept-Encoding'),
    ]);
    expect(await response.text()).toMatch(/^BEGIN:VCALENDAR\r\n[^]*END:VCALENDAR\r\n$/);
  });

  it('keeps the UID of a stay that moves', async () => {
    const { propertyId, url } = await property();
    const { id } = await book(propertyId, '2029-06-01', '2029-06-04');
    const uid = async () => /UID:(.*)\r/.exec(await (await fetch(url)).text())?.[1];
    const before = await uid();
    await api.post(`/reservations/${id}/move`, { checkInDate: '2029-06-05', checkOutDate: '2029-06-07' });
    expect(await uid()).toBe(before);
    expect(await (await fetch(url)).text()).toContain('DTSTART;VALUE=DATE:20290605');
  });

  it('stops at its old address after a rotation, and exists at no other', async () => {
    const { propertyId, url } = await property();
    const rotated = (await api.post(`/properties/${propertyId}/calendar-feed/rotate`)).body.data.url as string;
    expect((await fetch(rotated)).status).toBe(200);
    for (const gone of [url, rotated.replace('.ics', ''), `${service.url}/calendars/${'a'.repeat(32)}.ics`]) {
      const response = await fetch(gone);
      expect([response.status, (await response.json()).error.type]).toEqual([404, 'not_found_error']);
    }
    await api.post(`/properties/${propertyId}/archive`);
    expect((await fetch(rotated)).status).toBe(404);
  });
});

it('keeps the address of a calendar out of the log', async () => {
  const running = await startProcess();
  try {
    const made = await running.api.post('/properties', { name: 'Loft', timezone: 'UTC' });
    const { url } = (await running.api.post(`/properties/${made.body.data.id}/calendar-feed/reveal`)).body.data;
    const token = (url as string).split('/').at(-1) as string;
    for (const path of [`/calendars/${token}`, `/Calendars/${token}?x=1`, `/calendars/${token}/more`]) {
      await fetch(`http://localhost:${running.port}${path}`);
    }
    running.child.kill('SIGTERM');
    await running.ended;
    expect(running.output.stderr).toContain('/calendars/…');
    expect(running.output.stderr).not.toContain(token.replace('.ics', ''));
  } finally {
    await running.close();
  }
});
