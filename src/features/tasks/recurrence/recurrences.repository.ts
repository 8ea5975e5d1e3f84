import { Injectable } from '@nestjs/common';
import { dueInTurns, soonestOf } from '#jobs';
import { recordOf, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { localTime, type Series } from '#recurrence';

/** The limit of one look; it looks again as soon as one is done. */
const occurring = { table: 'tasks', since: 'next_occurrence_at', where: 'archived_at is null' };
const dueTasks = dueInTurns(occurring);
export const soonestTask = soonestOf(occurring);

/** A task whose next occurrence is due. */
export interface DueTask {
  orgId: string;
  id: string;
}

/** The series of such a task. */
interface DueSeries extends Series {
  /** Whether the property or the unit has been archived. */
  isOutOfUse: boolean;
}

/** Due times of recurring tasks are rows; whichever node asks first takes a row, the others pass it by. */
@Injectable()
export class RecurrencesRepository {
  constructor(
    private readonly system: SystemDatabase,
    private readonly tenant: TenantDatabase,
  ) {}

  /** Over all organizations, in turn. */
  async due(now: string): Promise<DueTask[]> {
    return (await this.system.rows(dueTasks, [now])).map(recordOf('task'));
  }

  /** Takes one due series for the current transaction; undefined if another node has it or it is no longer due. */
  async take(orgId: string, taskId: string, now: string): Promise<DueSeries | undefined> {
    const [row] = await this.tenant.rows(
      orgId,
      `select t.recurrence as rule, t.series_start as start, coalesce(p.timezone, o.timezone) as timezone,
              coalesce(p.archived_at, u.archived_at) is not null as "isOutOfUse"
         from tasks t
         join organizations o on o.id = t.org_id
         left join properties p on p.org_id = t.org_id and p.id = t.property_id
         left join units u on u.org_id = t.org_id and u.id = t.unit_id
        where t.org_id = $1 and t.id = $2 and t.next_occurrence_at <= $3 and t.archived_at is null
          for no key update of t skip locked`,
      [uuidIn(orgId), uuidIn(taskId), now],
    );
    if (!row) return undefined;
    const series = row as Omit<DueSeries, 'start'> & { start: string };
    return { ...series, start: localTime(series.start, series.timezone) };
  }

  /** The moment of a local time. */
  async moment(orgId: string, local: Date, timezone: string): Promise<string> {
    const [row] = await this.tenant.rows(orgId, 'select $1::timestamp at time zone $2 as moment', [
      local.toISOString().replace('Z', ''),
      timezone,
    ]);
    return (row as { moment: string }).moment;
  }
}
