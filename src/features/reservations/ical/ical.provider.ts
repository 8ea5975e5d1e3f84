import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '#access';
import { Outbound, OutboundError } from '#outbound';
import { checkedAddress } from '../../../outside/connections/checked-address.js';
import {
  type Account,
  ConnectionProvider,
  ConnectionProviders,
  type Ending,
  type Pulled,
} from '../../../outside/connections/connection-provider.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import { syncCaller } from '../../../outside/connections/sync-caller.js';
import { ImportsService } from '../imports/imports.service.js';
import { StayPlaces } from '../stay-places.js';
import type { ImportedStay } from '../imports/imported-stay.js';
import { UnreadableCalendar } from './calendar-file.js';
import { CalendarWork } from './calendar-work.service.js';
import type { Place } from './channel-stays.js';
import { ICalSettings } from './ical-settings.dto.js';

const maxBytes = 10 * 1_024 * 1_024;

/** Calendars of stays at an address (RFC 5545), as channels offer them. */
@Injectable()
export class ICalProvider extends ConnectionProvider<ICalSettings> implements OnModuleInit {
  readonly provider = 'ical';
  readonly kind = 'pms';
  readonly settings = ICalSettings;
  readonly isInProcess = false;

  constructor(
    private readonly providers: ConnectionProviders,
    private readonly places: StayPlaces,
    private readonly properties: PropertiesService,
    private readonly imports: ImportsService,
    private readonly outbound: Outbound,
    private readonly work: CalendarWork,
  ) {
    super();
  }

  onModuleInit(): void {
    this.providers.register(this);
  }

  async check(caller: Caller, { url, propertyId, unitId = null }: ICalSettings): Promise<string> {
    await this.places.usable(caller, { propertyId, unitId });
    checkedAddress('url', () => this.outbound.check(url));
    return propertyId;
  }

  async pull({ connection, settings }: Account<ICalSettings>): Promise<Pulled> {
    const { url, propertyId, unitId = null } = settings;
    const { timezone } = await this.properties.get(syncCaller(connection), propertyId);
    const stays = await this.read(connection.orgId, url, timezone, { propertyId, unitId });
    if (typeof stays === 'string') return { outcome: 'failed', reason: stays };
    return { outcome: 'pulled', apply: this.imports.applying(connection, 'ical', stays) };
  }

  release(_: Caller, connection: Connection, { most }: Ending): Promise<boolean> {
    return this.imports.release(connection, most);
  }

  /** The stays in the calendar, or a sentence that says why it could not be read. */
  private async read(orgId: string, url: string, timezone: string, place: Place): Promise<ImportedStay[] | string> {
    try {
      const { status, headers, body } = await this.outbound.fetch(url, {
        headers: { accept: 'text/calendar' },
        maxBytes,
      });
      if (status !== 200) return answeredOtherwise(status);
      const today = new Date().toISOString().slice(0, 10);
      const [, charset] = /;\s*charset="?([\w:.-]{1,40})/i.exec(headers['content-type'] ?? '') ?? [];
      return await this.work.read(orgId, body, { timezone, today, charset }, place);
    } catch (error) {
      if (error instanceof OutboundError) return `The calendar could not be fetched: ${error.message}`;
      if (error instanceof UnreadableCalendar) return error.message;
      throw error;
    }
  }
}

const answeredOtherwise = (status: number): string =>
  status >= 300 && status < 400
    ? `The address returned ${status}, a redirect. Set the final address of the calendar.`
    : `The address returned ${status} instead of a calendar.`;
