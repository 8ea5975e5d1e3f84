import { Injectable } from '@nestjs/common';
import { unavailable } from '#errors';
import { BackgroundThreads, heavyWork, Threads, WorkKilled } from '#threads';
import { mapInTurns } from '#turns';
import type { ImportedStay } from '../imports/imported-stay.js';
import { type CalendarOptions, UnreadableCalendar } from './calendar-file.js';
import type * as calendarWork from './calendar-work.js';
import type { PackedFile } from './calendar-work.js';
import type { Place } from './channel-stays.js';
import type { FeedStay } from './feed-file.js';

const module = import.meta.resolve('./calendar-work.js');
/** A file of ten megabytes takes two seconds. */
const withinMs = 5_000;
const reading = heavyWork<typeof calendarWork.readStays>({ kind: 'calendar_in', module, run: 'readStays', withinMs });
const packing = heavyWork<typeof calendarWork.packFeed>({ kind: 'calendar_out', module, run: 'packFeed', withinMs });
const tooManyStaysRetrySeconds = 60;

/** Work on calendars in threads: files may have any size, and imported files come from strangers. */
@Injectable()
export class CalendarWork {
  constructor(
    private readonly threads: Threads,
    private readonly background: BackgroundThreads,
  ) {}

  /**
   * @param file is moved to a thread, and may be empty afterwards.
   * @throws UnreadableCalendar; ThreadsBusy.
   */
  async read(orgId: string, file: Uint8Array, options: CalendarOptions, place: Place): Promise<ImportedStay[]> {
    const answer = await this.background
      .run(reading, orgId, ownMemoryOf(file), options, place)
      .catch((error: unknown) => {
        throw error instanceof WorkKilled ? new UnreadableCalendar('The calendar takes too long to read.') : error;
      });
    if ('unreadable' in answer) throw new UnreadableCalendar(answer.unreadable);
    return (await mapInTurns(answer.texts, (text) => JSON.parse(text) as ImportedStay[])).flat();
  }

  /** @throws service_unavailable. */
  async pack(orgId: string, name: string, stays: FeedStay[]): Promise<PackedFile> {
    return await this.threads.run(packing, orgId, name, stays).catch((error: unknown) => {
      throw error instanceof WorkKilled
        ? unavailable('The calendar takes too long to write.', tooManyStaysRetrySeconds, error)
        : error;
    });
  }
}

/** Memory of its own can be moved to a thread, and is empty here afterwards; a small file may share memory with others. */
const ownMemoryOf = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer =>
  (byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;
