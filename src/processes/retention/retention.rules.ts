import { idleMs } from '../../auth/accounts/session.js';
import { undoKeptMs } from '../../platform/events/undo-steps.repository.js';
import { usageKeptMs } from '../../platform/requests/usage.repository.js';

const dayMs = 86_400_000;

/** The data of all organizations that are deleted after a time. */
export interface Rule {
  table: string;
  /** The condition on rows `t` that have expired; `$1` is the moment that lies `afterMs` back. */
  where: string;
  afterMs: number;
}

/**
 * In this order. Nothing else relies on it: expired rows are ignored, whether they still exist or not. Audit entries
 * and the counts of subjects (event_sequences) are kept.
 */
export const rules: readonly Rule[] = [
  { table: 'idempotency_records', where: 't.expires_at <= $1', afterMs: 0 },
  { table: 'sessions', where: 't.expires_at <= $1', afterMs: 0 },
  { table: 'sessions', where: 't.last_seen_at <= $1', afterMs: idleMs },
  { table: 'sign_ins', where: 't.created_at <= $1', afterMs: 90 * dayMs },
  { table: 'form_submissions', where: 't.created_at <= $1', afterMs: dayMs },
  { table: 'attempts', where: 't.last_at <= $1', afterMs: dayMs },
  { table: 'mailed_links', where: 't.expires_at <= $1', afterMs: dayMs },
  { table: 'organization_exports', where: 't.created_at <= $1', afterMs: 7 * dayMs },
  { table: 'mails', where: 't.settled_at <= $1', afterMs: 30 * dayMs },
  // Used refresh tokens stay until they would have expired, so that their reuse is noticed.
  { table: 'oauth_tokens', where: 't.expires_at <= $1', afterMs: 0 },
  { table: 'oauth_interactions', where: 't.expires_at <= $1', afterMs: 0 },
  { table: 'sliding_windows', where: 't.ends_at <= $1', afterMs: 0 },
  {
    // An application that nobody approves.
    table: 'oauth_clients',
    where: `not t.verified and t.created_at <= $1 and not exists (
      select 1 from oauth_grants g where g.client_id = t.id and coalesce(g.revoked_at, 'infinity') > $1)`,
    afterMs: 90 * dayMs,
  },
  ...(['request_usage', 'request_peaks'] as const).flatMap((table) =>
    (['hour', 'day'] as const).map((per) => ({
      table,
      where: `t.per = '${per}' and t.at <= $1`,
      afterMs: usageKeptMs[per],
    })),
  ),
  { table: 'undo_steps', where: 't.created_at <= $1', afterMs: undoKeptMs },
  // A model's request and result may name guests. What the job saved is kept as a record of its own.
  { table: 'model_jobs', where: 't.finished_at <= $1', afterMs: 30 * dayMs },
  { table: 'approvals', where: 't.ended_at <= $1', afterMs: 90 * dayMs },
  // Unfinished work is kept, no matter how late it is.
  {
    table: 'messages',
    where: `t.updated_at <= $1 and t.status in ('sent', 'failed', 'suppressed', 'unknown')`,
    afterMs: 90 * dayMs,
  },
  {
    // A run keeps its workflow from running again about its stay, which may move as long as it is not over.
    table: 'workflow_runs',
    where: `t.finished_at <= $1 and not exists (select 1 from reservations r
      where r.org_id = t.org_id and r.id = t.reservation_id and r.departure_at > $1)`,
    afterMs: 90 * dayMs,
  },
  {
    // Messages that have yet to be sent are kept, no matter how late they are.
    table: 'webhook_deliveries',
    where: `t.created_at <= $1 and (t.status <> 'pending' or exists (
      select 1 from webhook_endpoints w where w.org_id = t.org_id and w.id = t.endpoint_id and w.status = 'disabled'))`,
    afterMs: 30 * dayMs,
  },
  {
    // After its deliveries, which would be deleted with it: an event that was replayed recently is still shown.
    table: 'events',
    where: `t.occurred_at <= $1 and not exists (
      select 1 from webhook_deliveries d where d.org_id = t.org_id and d.event_id = t.id)`,
    afterMs: 30 * dayMs,
  },
];
