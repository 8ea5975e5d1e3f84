import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { called, containing, Cursors, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import { referredTo } from '../../tenancy/references/referred-to.js';
import type { ListedGuest, ListGuests } from './guest.dto.js';
import { Guest, GuestChange } from './guest.entity.js';
import { staysOf } from './search.js';

const sortable = { updatedAt: { asc: 'updated_at', desc: 'updated_at' } };

/**
 * Whether a guest has stays at the given properties, found by the guest: a property may have more stays. Row security keeps
 * COALESCE, which is not leakproof, from an index.
 */
const isAtOne = `
  array(select property_id from reservations r where r.org_id = $1
           and r.id = ${staysOf('case when guests.merged_into is null then guests.id else guests.merged_into end')}) && ?::uuid[]`;

/** The guests of the stays at the given properties, and those who were merged into them: for lists, which ask of many guests. */
const guestsAt = `
  with here as materialized (select id, guest_id from reservations where org_id = $1 and property_id = any(?::uuid[])),
  named as materialized (
    select guest_id from here where guest_id is not null
    union
    select c.guest_id from here join reservation_companions c on c.org_id = $1 and c.reservation_id = here.id)
  select guest_id from named
  union all
  select id from guests where org_id = $1 and merged_into is not null and merged_into in (select guest_id from named)`;

@Injectable()
export class GuestsRepository {
  private readonly table: Table<Guest>;
  private readonly changes: Table<GuestChange>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Guest, cursors);
    this.changes = new Table(database, GuestChange, cursors);
  }

  /** The fields that are stored, of those of a record and its view. */
  columnsOf(fields: object): Partial<Guest> {
    return this.table.columnsOf(fields);
  }

  find(caller: Caller, guestId: string): Promise<Guest | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(guestId)));
  }

  findMany(caller: Caller, ids: readonly string[]): Promise<Guest[]> {
    return this.table.find(caller.orgId, this.visibleTo(caller).and('id = any(?::uuid[])', ids.map(uuidIn)));
  }

  /** Guests that remain until the transaction ends. */
  findLocked(caller: Caller, guestIds: readonly string[]): Promise<Guest[]> {
    const where = this.visibleTo(caller).and('id = any(?::uuid[])', guestIds.map(uuidIn));
    return this.table.find(caller.orgId, where, 'order by id for key share');
  }

  findForChange(caller: Caller, guestId: string): Promise<Guest | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(guestId)), 'for update');
  }

  /**
   * Locks the stays of guests, before the guests, in the order of every change of a stay. The guests themselves take turns
   * before that, in one order, because a merge that goes first gives its guest more stays to lock.
   */
  async lockStays(orgId: string, guestIds: readonly string[]): Promise<void> {
    const turns = 'select pg_advisory_xact_lock(hashtextextended(id, 2)) from unnest($1::text[]) id';
    await this.database.rows(orgId, turns, [[...guestIds].sort()]);
    const text = `select 1 from reservations where org_id = $1 and id = ${staysOf('any($2::uuid[])')} order by id for no key update`;
    await this.database.rows(orgId, text, [uuidIn(orgId), guestIds.map(uuidIn)]);
  }

  /** Whether the guest has stays that the credential cannot see. */
  async staysElsewhere({ orgId, propertyIds }: Caller, guestId: string): Promise<boolean> {
    if (!propertyIds) return false;
    const text = `select 1 from reservations
      where org_id = $1 and id = ${staysOf('$2')} and property_id <> all($3::uuid[]) limit 1`;
    const found = await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(guestId), propertyIds.map(uuidIn)]);
    return found.length > 0;
  }

  /** Whether stays name the guest, and whether all of those are cancelled. */
  async staysOf(orgId: string, guestId: string): Promise<'none' | 'cancelled' | 'expected'> {
    const text = `select bool_and(status = 'cancelled') as cancelled from reservations
      where org_id = $1 and id = ${staysOf('$2')}`;
    const [row] = await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(guestId)]);
    if (row?.cancelled === null) return 'none';
    return row?.cancelled ? 'cancelled' : 'expected';
  }

  /** With `updatedSince` also those who were erased, unless a name of theirs is looked for. */
  async list(caller: Caller, input: ListGuests): Promise<Page<ListedGuest>> {
    const { q, email, updatedSince, limit, cursor, sort } = input;
    const isNamed = (q ?? email ?? input.connectionId) !== undefined;
    if (updatedSince !== undefined && !isNamed) return await this.changed(caller, input);
    const where = this.table
      .where(caller.orgId)
      .when(caller.propertyIds?.map(uuidIn), `id = any(array(${guestsAt}))`)
      .searching(q && containing(q), called('guests'))
      .since(updatedSince);
    if (email) where.and('email_key = lower(?)', email);
    if (updatedSince === undefined) where.and('merged_into is null');
    referredTo(where, 'guest', input);
    return await this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
  }

  private async changed(caller: Caller, { updatedSince, limit, cursor, sort }: ListGuests): Promise<Page<ListedGuest>> {
    const { orgId, propertyIds } = caller;
    const where = this.changes.where(orgId).since(updatedSince);
    const limits = propertyIds?.map(uuidIn);
    if (limits) where.and(`(property_ids && ?::uuid[] or id in (${guestsAt}))`, limits, limits);
    const { items, ...page } = await this.changes.page(orgId, where, { limit, cursor, sort }, sortable);
    const guests = new Map(
      (
        await this.findMany(
          caller,
          items.map(({ id }) => id),
        )
      ).map((guest) => [guest.id, guest]),
    );
    const shown = items.flatMap(({ id, erasedAt, updatedAt }) =>
      erasedAt ? { id, erasedAt, updatedAt } : (guests.get(id) ?? []),
    );
    return { ...page, items: shown };
  }

  insertAllAtCommit(guests: readonly Guest[]): Promise<void> {
    return this.table.insertAllAtCommit(guests);
  }

  insert(guest: Guest): Promise<Guest> {
    return this.table.insert(guest);
  }

  update(guest: Guest, changes: Partial<Guest>): Promise<Guest> {
    return this.table.update(guest, changes);
  }

  /** Messages to a guest who is merged, and guests who were merged into them before, point to the other one. */
  async moveReferences(from: Guest, { orgId, id }: Guest): Promise<void> {
    for (const change of [
      'messages set guest_id = $3 where org_id = $1 and guest_id = $2',
      'message_contents set guest_id = $3 where org_id = $1 and guest_id = $2',
      'guests set merged_into = $3 where org_id = $1 and merged_into = $2',
    ])
      await this.database.rows(orgId, `update ${change}`, [uuidIn(orgId), uuidIn(from.id), uuidIn(id)]);
  }

  /**
   * The record, what remains of those who were merged into it, and the answers kept for retries; the stays have
   * forgotten the guest already.
   */
  async erase({ orgId, id }: Guest, propertyIds: readonly string[]): Promise<void> {
    const merged = this.table.where(orgId).and('merged_into = ?', uuidIn(id));
    for (const guest of [...(await this.table.find(orgId, merged)), { id }]) {
      await this.database.rows(
        orgId,
        `delete from idempotency_records where org_id = $1 and not encrypted and position(convert_to($2, 'utf8') in body) > 0`,
        [uuidIn(orgId), guest.id],
      );
      await this.table.delete(orgId, guest.id);
      await this.database.rows(
        orgId,
        'insert into erased_guests (org_id, id, property_ids, erased_at) values ($1, $2, $3::uuid[], $4)',
        [uuidIn(orgId), uuidIn(guest.id), propertyIds.map(uuidIn), new Date().toISOString()],
      );
    }
  }

  /** A credential that is limited to some properties sees the guests of the stays there. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), isAtOne);
  }
}
