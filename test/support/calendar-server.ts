import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A channel's server on loopback: returns the calendar that it is given, and counts requests. */
export interface CalendarServer {
  url: string;
  asked: number;
  answer: { status: number; body: string | Buffer; headers?: Record<string, string> };
  /** Called while a request waits for its response. */
  during?: () => Promise<void>;
  close(): Promise<void>;
}

export async function startCalendarServer(): Promise<CalendarServer> {
  const server: Server = createServer((_request, response) => {
    calendars.asked += 1;
    const { status, body, headers } = calendars.answer;
    void (calendars.during?.() ?? Promise.resolve()).then(() => response.writeHead(status, headers).end(body));
  }).listen(0, 'localhost');
  await new Promise((resolve) => server.once('listening', resolve));
  const calendars: CalendarServer = {
    url: `http://localhost:${(server.address() as AddressInfo).port}/stays.ics`,
    asked: 0,
    answer: { status: 200, body: calendar() },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return calendars;
}

/** A calendar of events, each given as its lines. */
export const calendar = (...events: string[][]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tests//Stays//EN',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', 'DTSTAMP:20270101T000000Z', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

/** An all-day event. */
export const stay = (uid: string, from: string, to: string, ...more: string[]): string[] => [
  `UID:${uid}`,
  `DTSTART;VALUE=DATE:${from}`,
  `DTEND;VALUE=DATE:${to}`,
  'SUMMARY:Reserved',
  ...more,
];
