import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type CalendarOptions, readCalendar, UnreadableCalendar } from './calendar-file.js';
import { type Place, staysOf } from './channel-stays.js';
import { type FeedStay, writeCalendar } from './feed-file.js';

// What is done in threads with calendars: see CalendarWork. Each thread loads what is imported here, so that is little.

/**
 * Stays come as JSON, a few hundred in each text, because parsing all of a large file at a time would block the event
 * loop. Errors do not keep their class on the way from a thread.
 */
export type StaysAnswer = { texts: string[] } | { unreadable: string };

const mostInText = 200;

/** The stays in a file that a stranger wrote. */
export function readStays(file: ArrayBuffer, options: CalendarOptions, place: Place): StaysAnswer {
  try {
    const stays = staysOf(readCalendar(textOf(file, options.charset), options), place);
    const texts: string[] = [];
    for (let from = 0; from < stays.length; from += mostInText)
      texts.push(JSON.stringify(stays.slice(from, from + mostInText)));
    return { texts };
  } catch (error) {
    if (error instanceof UnreadableCalendar) return { unreadable: error.message };
    throw error;
  }
}

/** @throws UnreadableCalendar if it is not in its charset. */
function textOf(file: ArrayBuffer, charset = 'utf-8'): string {
  // Bytes are unfolded before they are decoded: simple writers fold in the middle of a character (RFC 5545, section 3.1).
  const unfolded = Buffer.from(file)
    .toString('latin1')
    .replaceAll(/\r?\n[ \t]/g, '');
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(unfolded, 'latin1'));
  } catch (cause) {
    throw new UnreadableCalendar(
      `The calendar is not in ${charset}, the charset that its server names or the usual one. Nothing was imported.`,
      { cause },
    );
  }
}

export interface PackedFile {
  etag: string;
  gzip: Uint8Array;
}

/** A file of stays, as it is stored and sent. */
export function packFeed(name: string, stays: readonly FeedStay[]): PackedFile {
  const text = writeCalendar(name, stays);
  return { etag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`, gzip: gzipSync(text) };
}
