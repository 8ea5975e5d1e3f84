import pg from 'pg';
import type { Api } from '../../support/api.js';
import { calendar, type CalendarServer, startCalendarServer } from '../../support/calendar-server.js';
import { keyWith, propertyOf } from '../../support/factories.js';
import { type Service, startApp } from '../../support/start-app.js';

/** A service without background work, a calendar on loopback, and a property to connect it to. */
export class CalendarWorld {
  private constructor(
    readonly service: Service,
    readonly api: Api,
    readonly calendars: CalendarServer,
    readonly database: pg.Client,
    readonly propertyId: string,
  ) {}

  static async start(): Promise<CalendarWorld> {
    const calendars = await startCalendarServer();
    const service = await startApp({ OUTBOUND_ALLOW: 'localhost', WORKER: 'off' });
    const { api } = await keyWith(service.api);
    const propertyId = await propertyOf(api);
    const database = new pg.Client({ connectionString: service.database.url });
    await database.connect();
    return new CalendarWorld(service, api, calendars, database, propertyId);
  }

  reset(): void {
    this.calendars.answer = { status: 200, body: calendar() };
    this.calendars.during = undefined;
  }

  async close(): Promise<void> {
    await this.database.end();
    await this.service.close();
    await this.calendars.close();
  }

  ical(settings: object = {}) {
    return {
      provider: 'ical',
      kind: 'pms',
      name: 'Channel',
      credentials: { token: 'very-secret-token' },
      settings: { url: this.calendars.url, propertyId: this.propertyId, ...settings },
    };
  }

  async connect(settings: object = {}): Promise<string> {
    return (await this.api.post('/connections', this.ical(settings))).body.data.id as string;
  }
}
