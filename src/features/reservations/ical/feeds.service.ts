import { Injectable } from '@nestjs/common';
import { Keyring } from '#secrets';
import { type CalendarFeed, CalendarFeedsRepository } from '../../../tenancy/stays/calendar-feeds.repository.js';
import type { PackedFile } from './calendar-work.js';
import { CalendarWork } from './calendar-work.service.js';
import { FeedsRepository, type Kept, type Shown } from './feeds.repository.js';
import { SharedLookups } from './shared-lookups.js';
import { dayMs } from './wall-times.js';

const pastDays = 365;

/** The calendar of a property's stays, for anyone who knows its address. */
@Injectable()
export class FeedsService {
  /** Anybody may ask, on as many connections as they like: a calendar takes one of the database's at a time. */
  private readonly lookups = new SharedLookups<Kept>();
  /** Files that are being created: simultaneous requests share one file. */
  private readonly making = new Map<string, Promise<PackedFile>>();

  constructor(
    private readonly keyring: Keyring,
    private readonly feeds: CalendarFeedsRepository,
    private readonly files: FeedsRepository,
    private readonly work: CalendarWork,
  ) {}

  /**
   * The file; undefined if no property has that token. It is created on request if a stay has changed since the last
   * one; otherwise the stored file is sent.
   */
  async read(token: string): Promise<PackedFile | undefined> {
    const feed = await this.feeds.find(this.keyring.hashes(token));
    if (!feed) return undefined;
    const { orgId, propertyId, name } = feed;
    const from = new Date(Date.now() - pastDays * dayMs).toISOString().slice(0, 10);
    const shown = { orgId, propertyId, from };
    const { stays, file } = await this.lookups.share(propertyId, () => this.files.kept(shown));
    const stamp = `${stays} ${name}`;
    return file?.stamp === stamp ? file : await this.made(feed, shown, stamp);
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
