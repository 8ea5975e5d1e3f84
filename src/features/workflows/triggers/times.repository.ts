import { Injectable } from '@nestjs/common';
import { dueInTurns, soonestOf } from '#jobs';
import { idColumn, recordOf, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Workflow } from '../workflow.entity.js';

/** A workflow whose scheduled time has passed. */
export interface DueWorkflow {
  orgId: string;
  id: string;
}

/** A stay whose moment has come for a workflow. */
export interface DueStay {
  /** Of both. */
  id: string;
  orgId: string;
  workflowId: string;
  workflowVersion: number;
  reservationId: string;
}

const ids = { org: idColumn('org'), workflow: idColumn('workflow'), reservation: idColumn('reservation') };
const occurring = { table: 'workflows', since: 'next_occurrence_at', where: `status = 'active'` };
const dueWorkflows = dueInTurns(occurring);
export const soonestWorkflow = soonestOf(occurring);
const staysAtOnce = 200;

/**
 * Computed from the stays in their current state, so that a stay that moves takes its moment along and a cancelled one
 * has none. Local dates differ by at most a day, so the index on dates can find them. Times that passed more than a day
 * ago, while no process ran, are skipped: a welcome message a week late would be wrong.
 */
const dueStays = `
  select w.org_id, w.id, w.number, r.id as reservation_id
    from (select w.org_id, w.id, v.number, v.trigger->>'moment' as moment, v.trigger->>'offsetMinutes' as distance,
                 $1::timestamptz - make_interval(mins => (v.trigger->>'offsetMinutes')::integer) as until,
                 greatest(w.activated_at, $1::timestamptz - interval '24 hours')
                   - make_interval(mins => (v.trigger->>'offsetMinutes')::integer) as since
            from workflows w
            join workflow_versions v
              on v.org_id = w.org_id and v.workflow_id = w.id and v.number = w.active_version
           where w.status = 'active' and w.trigger_kind = 'reservation_relative') w
   cross join lateral (
     select id from reservations
      where w.moment = 'arrival' and org_id = w.org_id and status = 'confirmed' and not released
        and check_in_date between w.since::date - 1 and w.until::date + 1
        and arrival_at > w.since and arrival_at <= w.until
     union all
     select id from reservations
      where w.moment = 'departure' and org_id = w.org_id and status = 'confirmed' and not released
        and check_out_date between w.since::date - 1 and w.until::date + 1
        and departure_at > w.since and departure_at <= w.until) r
   where not exists (select 1 from workflow_runs x
     where x.org_id = w.org_id and x.workflow_id = w.id
       and x.trigger_key = 'reservation_' || replace(r.id::text, '-', '') || ':' || w.moment || ':' || w.distance)
   order by row_number() over (partition by w.org_id order by w.since) limit ${staysAtOnce}`;
export const soonestStay = `(select $1::timestamptz where exists (${dueStays}))`;

/** Finds what is due by time, across all organizations. */
@Injectable()
export class TimesRepository {
  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
  ) {}

  async dueWorkflows(now: string): Promise<DueWorkflow[]> {
    return (await this.system.rows(dueWorkflows, [now])).map(recordOf('workflow'));
  }

  /** The next time is not a change of the record, so it creates no version and no event. */
  setNext({ orgId, id }: Workflow, next: string | undefined): void {
    const text = 'update workflows set next_occurrence_at = $3 where org_id = $1 and id = $2';
    this.database.defer(orgId, text, [uuidIn(orgId), uuidIn(id), next ?? null]);
  }

  async dueStays(now: string): Promise<DueStay[]> {
    const rows = await this.system.rows(dueStays, [now]);
    return rows.map((row) => {
      const workflowId = ids.workflow.from(row.id) as string;
      const reservationId = ids.reservation.from(row.reservation_id) as string;
      return {
        id: `${workflowId}/${reservationId}`,
        orgId: ids.org.from(row.org_id) as string,
        workflowId,
        workflowVersion: row.number as number,
        reservationId,
      };
    });
  }
}
