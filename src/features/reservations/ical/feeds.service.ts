import { Injectable } from '@nestjs/common';
import { Keyring } from '#secrets';
import { type CalendarFeed, CalendarFeedsRepository } from '../../../tenancy/stays/calendar-feeds.repository.js';
import type { PackedFile } from './calendar-work.js';
import { CalendarWork } from './calendar-work.service.js';
import { FeedsRepository, type Shown } from './feeds.repository.js';
import { dayMs } from './wall-times.js';

const pastDays = 365;

/** The calendar of a property's stays, for whoever knows its address. */
@Injectable()
export class FeedsService {
  /** What is being made: many who ask at the same time are given one file. */
  private readonly making = new Map<string, Promise<PackedFile>>();

  constructor(
    private readonly keyring: Keyring,
    private readonly feeds: CalendarFeedsRepository,
    private readonly files: FeedsRepository,
    private readonly work: CalendarWork,
  ) {}

  /**
   * The file, undefined where no property has that token. It is made when it is asked for and a stay has changed since;
   * otherwise it is sent as it is kept.
   */
  async read(token: string): Promise<PackedFile | undefined> {
    const feed = await this.feeds.find(this.keyring.hashes(token));
    if (!feed) return undefined;
    const { orgId, propertyId, name } = feed;
    const from = new Date(Date.now() - pastDays * dayMs).toISOString().slice(0, 10);
    const { stays, file } = await this.files.kept({ orgId, propertyId, from });
    const stamp = `${stays} ${name}`;
    return file?.stamp === stamp ? file : await this.made(feed, { orgId, propertyId, from }, stamp);
  }

  private made(feed: CalendarFeed, shown: Shown, stamp: string): Promise<PackedFile> {
    const key = `${feed.propertyId} ${stamp}`;
    const known = this.making.get(key);
    if (known) return known;
    const making = this.make(feed, shown, stamp).finally(() => this.making.delete(key));
    this.making.set(key, making);
    return making;
  }

  private async make({ orgId, name }: CalendarFeed, shown: Shown, stamp: string): Promise<PackedFile> {
    // Another request may have finished it since this one looked.
    const { file: kept } = await this.files.kept(shown);
    if (kept?.stamp === stamp) return kept;
    const file = await this.work.pack(orgId, name, await this.files.stays(shown));
    await this.files.keep(shown, stamp, file);
    return file;
  }
}
