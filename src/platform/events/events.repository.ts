import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { idColumn, TenantDatabase, uuidIn, Where } from '#persistence';
import type { EventView } from './event.dto.js';
import { type EventReader, mayReadEvent, readableEvents } from './readable-events.js';

/** How long events and their deliveries are kept. */
export const eventsKeptMs = 30 * 24 * 60 * 60_000;

/** A place in the feed: behind an event, or before a transaction (position 0). */
export interface FeedPosition {
  transactionId: string;
  position: string;
}

export const feedStart: FeedPosition = { transactionId: '0', position: '0' };

export interface FeedFilters {
  types?: string[];
  subject?: string;
  propertyId?: string;
  /** Only what the request with this X-Request-Id changed, as long as that can be undone. */
  requestId?: string;
  /** Only what happened at this time or later. */
  since?: string;
}

interface FeedPage {
  events: EventView[];
  /** Where to continue: after the last event of a full page, else before the oldest running transaction. */
  next: FeedPosition;
  /** Whether there are events of the organization that an older transaction hides, which is still running. */
  hasHidden: boolean;
}

const eventIds = idColumn('event');

/** The columns that `readEvent` reads. */
export const eventColumns = 'e.id, e.type, e.sequence, e.subject_type, e.subject_id, e.actor, e.data, e.occurred_at';

export const readEvent = (row: Record<string, unknown>): EventView => ({
  id: eventIds.from(row.id) as string,
  type: row.type as string,
  sequence: row.sequence as number,
  subject: { type: row.subject_type as string, id: row.subject_id as string },
  actor: row.actor as EventView['actor'],
  data: row.data as object,
  occurredAt: row.occurred_at as string,
});

@Injectable()
export class EventsRepository {
  constructor(private readonly database: TenantDatabase) {}

  /**
   * The events behind a position, in the order of their transactions. Events of a transaction are not shown while an
   * older transaction may still be running, because readers would miss what that one commits before them. A reader sees
   * the events of the types that its permissions read, at the properties that it is limited to.
   */
  async after(reader: EventReader, filters: FeedFilters, from: FeedPosition, limit: number): Promise<FeedPage> {
    const where = readableBy(reader)
      .and('(e.transaction_id, e.position) > (?::xid8, ?::bigint)', from.transactionId, from.position)
      .and('e.transaction_id < horizon')
      .when(filters.types, 'e.type = any(?)')
      .when(filters.subject, 'e.subject_id = ?')
      .when(filters.propertyId && uuidIn(filters.propertyId), 'e.property_id = ?')
      .when(filters.requestId, ofRequest)
      .when(filters.since, 'e.occurred_at >= ?::timestamptz');
    const rows = await this.database.rows(
      reader.orgId,
      `select horizon::text, exists (select 1 from events where org_id = $1 and transaction_id >= horizon) as hidden, e.*
         from pg_snapshot_xmin(pg_current_snapshot()) as horizon
         left join lateral (
           select ${eventColumns}, e.transaction_id, e.position, e.transaction_id::text as transaction
             from events e ${where.text} order by e.transaction_id, e.position limit ${limit}) e on true
        order by e.transaction_id, e.position`,
      where.values,
    );
    const events = rows.filter(({ id }) => id !== null);
    const last = events.at(-1);
    const next =
      last && events.length === limit
        ? { transactionId: last.transaction as string, position: String(last.position) }
        : { transactionId: rows[0]?.horizon as string, position: '0' };
    return { events: events.map(readEvent), next, hasHidden: rows[0]?.hidden as boolean };
  }

  /** The newest events that a reader sees, newest first, with those that older transactions still hide from the feed. */
  async newest(reader: EventReader, limit: number): Promise<EventView[]> {
    const where = readableBy(reader);
    const rows = await this.database.rows(
      reader.orgId,
      `select ${eventColumns} from events e ${where.text} order by e.transaction_id desc, e.position desc limit ${limit}`,
      where.values,
    );
    return rows.map(readEvent);
  }

  /** The current end of the feed. */
  async end(orgId: string): Promise<FeedPosition> {
    const [row] = await this.database.rows(
      orgId,
      'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon',
      [],
    );
    return { transactionId: row?.horizon as string, position: '0' };
  }

  /** Undefined if the event does not exist any more, or the credential cannot see its property. */
  async positionOf({ orgId, propertyIds }: Caller, eventId: string): Promise<FeedPosition | undefined> {
    const [row] = await this.database.rows(
      orgId,
      `select transaction_id::text as transaction, position from events
        where org_id = $1 and id = $2 and ($3::uuid[] is null or property_id = any($3))`,
      [uuidIn(orgId), uuidIn(eventId), propertyIds?.map(uuidIn) ?? null],
    );
    return row && { transactionId: row.transaction as string, position: String(row.position) };
  }

  /** Whether an event is there and the caller may read it. */
  async isReadable({ orgId, propertyIds, permissions }: Caller, eventId: string): Promise<boolean> {
    const [row] = await this.database.rows(
      orgId,
      `select ${eventColumns} from events e
        where e.org_id = $1 and e.id = $2 and ($3::uuid[] is null or e.property_id = any($3))`,
      [uuidIn(orgId), uuidIn(eventId), propertyIds?.map(uuidIn) ?? null],
    );
    return row !== undefined && mayReadEvent(readEvent(row), permissions);
  }
}

/** The events that are kept, of the types that the reader's permissions read, at the properties that it is limited to. */
function readableBy({ orgId, permissions, propertyIds }: EventReader): Where {
  const readable = readableEvents(permissions);
  const where = new Where()
    .and('e.org_id = ?', uuidIn(orgId))
    .and('e.occurred_at >= ?', new Date(Date.now() - eventsKeptMs).toISOString())
    .when(readable.types, 'e.type = any(?)')
    .when(propertyIds?.map(uuidIn), 'e.property_id = any(?::uuid[])');
  for (const { types, field, values } of readable.partly)
    where.and('(e.type <> all(?) or e.data ->> ? = any(?))', types, field, values);
  return where;
}

/** Each entry of the audit trail has its event beside it. */
const ofRequest = `e.id in (select u.event_id from audit_entries a join undo_steps u on u.org_id = a.org_id and u.entry_id = a.id
  where a.org_id = e.org_id and a.request_id = ?)`;
