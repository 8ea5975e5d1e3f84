import { randomUUID } from 'node:crypto';
import express from 'express';
import type { PoolClient } from 'pg';
import { createTask, orgOf, port, ready } from './database.js';

/** The floor for a write with events: the same create with its event, matching deliveries and audit entry, by hand. */
const event = `
  with happened as (
    insert into events (org_id, id, type, subject_type, subject_id, actor, data, occurred_at, sequence, transaction_id)
    values ($1, $2, 'task.created', 'task', $3, $4, $5, now(), 1, pg_current_xact_id()) returning *)
  insert into webhook_deliveries (org_id, endpoint_id, event_id, event_type, subject_id, sequence, due_at, created_at)
  select e.org_id, w.id, e.id, e.type, e.subject_id, e.sequence, e.occurred_at, e.occurred_at
    from happened e join webhook_endpoints w on w.org_id = e.org_id
   where w.status <> 'disabled' and w.event_types && array[e.type, '*']`;

const entry = `
  insert into audit_entries
    (org_id, id, actor_type, actor_id, action, target_type, target_id, after, request_id, created_at, signature)
  values ($1, $2, 'member', 'floor', 'createTask', 'task', $3, $4, $5, now(), $6)`;

const actor = JSON.stringify({ type: 'member', id: 'floor' });
/** A floor signs nothing. */
const signature = Buffer.alloc(32);

async function tell(client: PoolClient, orgId: string, task: { id: string }): Promise<void> {
  const [id, data] = [`task_${task.id.replaceAll('-', '')}`, JSON.stringify(task)];
  await client.query({ name: 'event', text: event, values: [orgId, randomUUID(), id, actor, data] });
  await client.query({
    name: 'entry',
    text: entry,
    values: [orgId, randomUUID(), id, data, randomUUID(), signature],
  });
}

const app = express();
app.set('etag', false).disable('x-powered-by').use(express.json());

app.post('/api/v1/tasks', async (request, response) => {
  const orgId = await orgOf(request.headers.authorization);
  response.status(201).json({ data: await createTask(orgId, request.body as Record<string, unknown>, tell) });
});

app.listen(port, '127.0.0.1', ready);
