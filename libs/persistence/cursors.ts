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
    return this.signed(payload, list);
  }

  /** @throws validation_error naming `cursor` when it was written for none of these lists. */
  read(cursor: string, ...lists: string[]): Position {
    const [payload = ''] = cursor.split('.', 1);
    // As text: decoding base64url passes over a character too many.
    const given = Buffer.from(cursor);
    const isOf = (list: string): boolean => {
      const expected = Buffer.from(this.signed(payload, list));
      return given.length === expected.length && timingSafeEqual(given, expected);
    };
    if (!lists.some(isOf)) {
      throw invalidField(['cursor'], 'Pass the nextCursor of the previous page, with the same filters and sort.');
    }
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Position;
  }

  private signed(payload: string, list: string): string {
    const signature = createHmac('sha256', this.key).update(payload).update('\0').update(list).digest().subarray(0, 12);
    return `${payload}.${signature.toString('base64url')}`;
  }
}
