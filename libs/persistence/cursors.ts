import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { invalidField } from '#errors';

/** Where a page ends: the sort key's text, if the list is not sorted by id alone, and the id. */
export type Position = [sortKey: string | null, id: string];

/**
 * Opaque, signed cursors. The signature covers the list's own filters, so that a cursor is good for the list it came
 * from and for no other.
 */
export class Cursors {
  constructor(private readonly key: KeyObject) {}

  write(position: Position, list: string): string {
    const payload = Buffer.from(JSON.stringify(position)).toString('base64url');
    return `${payload}.${this.sign(payload, list).toString('base64url')}`;
  }

  /** @throws validation_error naming `cursor` when it was not written for this list. */
  read(cursor: string, list: string): Position {
    const [payload = '', signature = ''] = cursor.split('.');
    const given = Buffer.from(signature, 'base64url');
    const expected = this.sign(payload, list);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw invalidField(['cursor'], 'Give the nextCursor of the page before, with the same filters and sort.');
    }
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Position;
  }

  private sign(payload: string, list: string): Buffer {
    return createHmac('sha256', this.key).update(payload).update('\0').update(list).digest().subarray(0, 12);
  }
}
