import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { clientsOf, multiply, over, propertyOf } from '../attacking.js';
import type { Stage, Vector } from '../vector.js';

const day = (n: number): string => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);

/** This many stays of a night each, one after the other. */
async function staysAt(stage: Stage, count: number): Promise<string> {
  const propertyId = await propertyOf(stage.attacker);
  const book = (checkInDate: string, checkOutDate: string) =>
    stage.attacker.send('POST', '/reservations', {
      propertyId,
      checkInDate,
      checkOutDate,
      primaryGuest: { name: 'Ana Maria dos Anjos' },
    });
  const { id } = await book(day(1), day(2));
  const shifted = (column: string) => `'${column}', r.${column} + n`;
  const changes = `jsonb_build_object(${shifted('check_in_date')}, ${shifted('check_out_date')})`;
  await multiply(stage, { table: 'reservations', id: id as string, count: count - 2, changes });
  // Everything that is computed from stays is computed from all of them.
  await book(day(count), day(count + 1));
  return propertyId;
}

export const calendarFeed: Vector = {
  name: 'feed',
  description: 'a calendar of 2,500 stays fetched over two connections by somebody who has its address',
  prepare: async (stage) => {
    const propertyId = await staysAt(stage, 2_500);
    const { url } = await stage.attacker.send('POST', `/properties/${propertyId}/calendar-feed/reveal`, {});
    const address = stage.url + new URL(url as string).pathname;
    return over(2, async () => {
      const response = await fetch(address, { signal: AbortSignal.timeout(15_000) });
      await response.arrayBuffer();
      return response;
    });
  },
};

export const search: Vector = {
  name: 'search',
  description: 'a text looked for in the guests of 20,000 stays, over six connections',
  prepare: async (stage) => {
    await staysAt(stage, 20_000);
    const clients = await clientsOf(stage.attacker, 6);
    const words = ['ana', 'xyz', 'anj'];
    return over(6, async (connection, turn) =>
      clients[connection]?.once('GET', `/reservations?limit=100&q=${words[turn % words.length]}`),
    );
  },
};

/** Nearly as large as a calendar may be. */
function largeCalendar(): string {
  const events: string[] = [];
  for (let n = 0; n < 26_000; n += 1) {
    const date = (at: number): string => day(at).replaceAll('-', '');
    events.push(
      `BEGIN:VEVENT\r\nUID:${n}@x\r\nDTSTAMP:20270101T000000Z\r\nDTSTART;VALUE=DATE:${date(n % 700)}\r\n` +
        `DTEND;VALUE=DATE:${date((n % 700) + 1)}\r\nSUMMARY:Reserved\r\nDESCRIPTION:${'x'.repeat(150)}\r\nEND:VEVENT\r\n`,
    );
  }
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n${events.join('')}END:VCALENDAR\r\n`;
}

export const imports: Vector = {
  name: 'imports',
  description: 'six calendars of 8 MB each, imported again and again',
  prepare: async ({ attacker, onEnd }) => {
    let body = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\nEND:VCALENDAR\r\n';
    const server = createServer((_, response) => response.writeHead(200).end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onEnd(() => server.close().closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stays.ics`;
    const connect = async (): Promise<string> => {
      const settings = { url, propertyId: await propertyOf(attacker) };
      const made = { provider: 'ical', kind: 'pms', name: 'Channel', credentials: {}, settings };
      return (await attacker.send('POST', '/connections', made)).id as string;
    };
    const ids = await Promise.all(Array.from({ length: 6 }, connect));
    await wait(2_000);
    body = largeCalendar();
    return over(6, (connection) => attacker.once('POST', `/connections/${ids[connection]}/sync`, {}));
  },
};
