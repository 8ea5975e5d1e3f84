import { eventColumns } from '../../platform/events/events.repository.js';
import { joinMaker } from './maker-permissions.js';

/** How many deliveries to one endpoint are in flight at the same time, each of another subject. */
export const mostToEndpoint = 16;

/** Endpoints of all organizations with deliveries that wait, found one by one along the index. */
const waiting = `
  with recursive waiting as (
    (select org_id, endpoint_id from webhook_deliveries where status = 'pending'
      order by org_id, endpoint_id limit 1)
    union all
    select following.* from waiting w cross join lateral (
      select d.org_id, d.endpoint_id from webhook_deliveries d
       where d.status = 'pending' and (d.org_id, d.endpoint_id) > (w.org_id, w.endpoint_id)
       order by d.org_id, d.endpoint_id limit 1) following)`;
/** Those of organizations that are open, to which nobody sends, by whether the last delivery to them failed. */
const free = (failing: boolean): string => `
  waiting w join webhook_endpoints e on e.org_id = w.org_id and e.id = w.endpoint_id
    and e.status <> 'disabled' and (e.leased_until is null or e.leased_until <= $1)
    and e.failing_since is ${failing ? 'not null' : 'null'}
  join organizations o on o.id = e.org_id and o.status = 'active'`;
const ofEndpoint = `d.org_id = e.org_id and d.endpoint_id = e.id and d.status = 'pending'`;
export const dueEndpoints = (failing: boolean): string => `
  ${waiting}
  select e.org_id, e.id from ${free(failing)}
   where exists (select 1 from webhook_deliveries d where ${ofEndpoint} and d.due_at <= $1)
   order by row_number() over (partition by e.org_id order by e.leased_until nulls first), e.leased_until nulls first
   limit $2`;
export const soonestDelivery = (failing: boolean): string => `(
  ${waiting}
  select min(d.due_at) from ${free(failing)}
   cross join lateral (select due_at from webhook_deliveries d where ${ofEndpoint} order by due_at limit 1) d)`;

/** Of the subjects that have waited longest among the first due rows; some of these may be of one subject. */
export const nextOfSubjects = `
  with endpoint as materialized (
    select w.*, maker.* from webhook_endpoints w ${joinMaker('$4::timestamptz', '$5')}
     where w.org_id = $1 and w.id = $2 and w.lease = $3 and w.status <> 'disabled')
  select d.id as delivery_id, d.due_at, d.attempt_count, w.url, w.secret, w.previous_secret, w.previous_secret_until,
         w.failing_since, ${eventColumns}, w.permitted, '*' = any(w.event_types) as wants_any,
         (w.member_properties is null or e.property_id = any(w.member_properties))
           and (w.key_properties is null or e.property_id = any(w.key_properties)) as sees_place
    from endpoint w
   cross join lateral (
     select subject_id, min(due_at) as due_at from (
       select subject_id, due_at from webhook_deliveries
        where org_id = $1 and endpoint_id = $2 and status = 'pending' and due_at <= $4 and subject_id <> all($6::text[])
        order by due_at, id limit ${2 * mostToEndpoint}) first
      group by subject_id order by min(due_at) limit $7) due
   cross join lateral (
     select * from webhook_deliveries
      where org_id = $1 and endpoint_id = $2 and status = 'pending' and subject_id = due.subject_id
      order by sequence, id limit 1) d
    join events e on e.org_id = $1 and e.id = d.event_id
   order by due.due_at`;

/** The outcomes of attempts, each as long as nobody has recorded this attempt. */
export const finishing = `
  update webhook_deliveries d
     set status = r.status, due_at = r.due_at, attempts = d.attempts || r.attempt, attempt_count = d.attempt_count + 1,
         request = r.request, response = r.response, finished_at = r.finished_at
    from jsonb_to_recordset($2::jsonb) as r (id uuid, attempt_count integer, status text, due_at timestamptz,
      attempt jsonb, request jsonb, response jsonb, finished_at timestamptz)
   where d.org_id = $1 and d.id = r.id and d.status = 'pending' and d.attempt_count = r.attempt_count
  returning d.id`;
