import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { ServiceError } from '#errors';
import type { Permission } from '../callers/permissions.js';
import type { EventType } from './event-type.js';
import type { Fields } from './images.js';

/** A record that was created has to stay, since another one refers to it, and so does the request that created it. */
export class CannotGo extends ServiceError {
  /** @param of the kind of the records that refer to it: where one of them has to stay, that is the reason of both. */
  constructor(
    why: string,
    readonly of: string,
  ) {
    super({ status: 409, message: why, deterministic: true });
  }
}

/** A record, and the property that its change was at. */
export interface Located {
  readonly id: string;
  readonly propertyId: string | null;
}

/** How a feature restores fields of its records, by its own rules and with everything that follows. */
export interface PutBack<Row extends { id: string } = { id: string }> {
  /** What the caller must be permitted. */
  readonly scope: Permission;
  /** The record, locked until the transaction ends; undefined if it is gone. @param fields that are put back. */
  find(caller: Caller, where: Located, fields: Fields): Promise<Row | undefined>;
  /** Those of the fields that the record stores. */
  stored(fields: Fields): Partial<Row>;
  /**
   * Writes the fields and records it.
   *
   * @param fields none for a new record, which is to be removed.
   * @returns why the record stays, if it has to.
   * @throws the reason why it cannot be undone.
   */
  write(caller: Caller, record: Row, fields: Partial<Row>, event: EventType): Promise<string | void>;
  /**
   * Removes many new records by statements for all of them, where one by one would hold their locks for long.
   *
   * @throws if one of them is in the way of the others, so that each must be removed for itself.
   */
  removeAll?(caller: Caller, recordIds: readonly string[], event: EventType): Promise<void>;
}

/** Every feature that puts its records back, by their kind in events. */
@Injectable()
export class PutBacks {
  private readonly known = new Map<string, PutBack>();

  add<Row extends { id: string }>(subject: string, putBack: PutBack<Row>): void {
    this.known.set(subject, putBack);
  }

  of(subject: string): PutBack {
    const found = this.known.get(subject);
    if (!found) throw new Error(`No feature puts a ${subject} back`);
    return found;
  }
}
