import { createHash, createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { KeyringData } from '#secrets';

/**
 * What every floor does, and no more: find the bearer's organization, then run the query, with named statements on the
 * service's own tables. No row security, validation, rate limit, log or error envelope.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });

const keys = JSON.parse(readFileSync(join(process.env.DATA_DIR as string, 'keys.json'), 'utf8')) as KeyringData;
const pepper = Buffer.from(keys.peppers[0]?.secret as string, 'base64');

const columns = `id, name, description, type, status, priority, property_id as "propertyId", unit_id as "unitId",
  reservation_id as "reservationId", assignee_ids as "assigneeIds", time_rule as "timeRule",
  can_start_at as "canStartAt", due_at as "dueAt", duration_minutes as "durationMinutes", checklist, metadata,
  external_refs as "externalRefs", source, cost, recurrence, files as attachments, started_at as "startedAt",
  completed_at as "completedAt", cancelled_at as "cancelledAt", archived_at as "archivedAt", version,
  created_at as "createdAt", updated_at as "updatedAt"`;

const callerByHash = `select k.org_id from api_keys k
  join members m on m.org_id = k.org_id and m.id = k.member_id
  join organizations o on o.id = k.org_id
  where k.hash = $1 and k.revoked_at is null and m.status = 'active' and o.status = 'active'`;

const approverByHash = `select g.org_id from oauth_tokens t
  join oauth_grants g on g.org_id = t.org_id and g.id = t.grant_id
  join members m on m.org_id = g.org_id and m.user_id = g.user_id
  join organizations o on o.id = g.org_id
  where t.hash = $1 and t.kind = 'at' and t.expires_at > now() and g.revoked_at is null
    and m.status = 'active' and o.status = 'active'`;

/** The organization of the bearer of `Authorization: Bearer <key or access token>`. */
export async function orgOf(authorization = ''): Promise<string> {
  const bearer = authorization.slice('Bearer '.length);
  const query = bearer.startsWith('at_')
    ? { name: 'approver', text: approverByHash, values: [createHash('sha256').update(bearer).digest()] }
    : { name: 'caller', text: callerByHash, values: [createHmac('sha256', pepper).update(bearer).digest()] };
  const { rows } = await pool.query<{ org_id: string }>(query);
  if (!rows[0]) throw new Error('This bearer is not known');
  return rows[0].org_id;
}

export async function listTasks(orgId: string): Promise<unknown[]> {
  const text = `select ${columns} from tasks where org_id = $1 and archived_at is null order by id desc limit 20`;
  return (await pool.query<Record<string, unknown>>({ name: 'list', text, values: [orgId] })).rows;
}

export async function getTask(orgId: string, id: string): Promise<unknown> {
  const text = `select ${columns} from tasks where org_id = $1 and id = $2`;
  return (await pool.query({ name: 'get', text, values: [orgId, id.replace('task_', '')] })).rows[0];
}

const insert = `insert into tasks (org_id, id, name, description, type, status, priority, assignee_ids, due_at,
    duration_minutes, checklist, metadata, external_refs, source, version, created_at, updated_at)
  values ($1, $2, $3, $4, $5, 'pending', $6, '{}', $7, $8, $9, $10, '[]', 'manual', 1, now(), now())
  returning ${columns}`;

type Tell = (client: pg.PoolClient, orgId: string, task: { id: string }) => Promise<void>;

/** @param tell writes what else belongs to the transaction. */
export async function createTask(orgId: string, input: Record<string, unknown>, tell?: Tell): Promise<unknown> {
  const { name, description, type, priority, dueAt, durationMinutes, checklist, metadata } = input;
  const row = [name, description, type, priority, dueAt, durationMinutes, JSON.stringify(checklist), metadata];
  const client = await pool.connect();
  try {
    await client.query('begin');
    const values = [orgId, randomUUID(), ...row];
    const { rows } = await client.query<{ id: string }>({ name: 'insert', text: insert, values });
    if (rows[0]) await tell?.(client, orgId, rows[0]);
    await client.query('commit');
    return rows[0];
  } finally {
    client.release();
  }
}

/** Signals to the bench that the server listens. */
export const ready = (): void => void process.stdout.write('{"ready":true}\n');

export const port = Number(process.env.PORT);
