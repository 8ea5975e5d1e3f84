import { Injectable } from '@nestjs/common';
import { Keyring } from '#secrets';
import { CalendarFeedsRepository } from '../../organizations/calendar-feeds.repository.js';
import { ReservationsRepository } from '../reservations.repository.js';
import { writeCalendar } from './feed-file.js';
import { dayMs } from './wall-times.js';

const pastDays = 365;

/** The calendar of a property's stays, for whoever knows its address. */
@Injectable()
export class FeedsService {
  constructor(
    private readonly keyring: Keyring,
    private readonly feeds: CalendarFeedsRepository,
    private readonly reservations: ReservationsRepository,
  ) {}

  /** The file, undefined where no property has that token. */
  async read(token: string): Promise<string | undefined> {
    const feed = await this.feeds.find(this.keyring.hashes(token));
    if (!feed) return undefined;
    const from = new Date(Date.now() - pastDays * dayMs).toISOString().slice(0, 10);
    return writeCalendar(feed.name, await this.reservations.taken(feed.orgId, feed.propertyId, from));
  }
}
