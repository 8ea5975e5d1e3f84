import { Injectable, Logger } from '@nestjs/common';
import type { ServiceError } from '#errors';
import { Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { EventsService } from '../../../platform/events/events.service.js';
import { isRecurrenceRule, localTime, nextOccurrence } from '#recurrence';
import type { PlaceUser } from '../../../tenancy/followers/followers.js';
import type { Place } from '../../../tenancy/stays/place.js';
import { TaskRules } from '../task-rules.service.js';
import type { Task } from '../task.entity.js';
import { propertyHasSeries, unitHasSeries } from '../tasks.errors.js';
import { taskCreated, taskUpdated } from '../tasks.events.js';
import { TasksRepository } from '../tasks.repository.js';
import { following } from './following.js';
import { type DueTask, RecurrencesRepository, soonestTask } from './recurrences.repository.js';

/** Creates the next task of a series when the current one is due, so that one is always ahead. */
@Injectable()
export class RecurrencesService implements Work<DueTask>, PlaceUser {
  readonly name = 'recurring-tasks';
  readonly lane = schedules;
  readonly soonest = soonestTask;
  private readonly log = new Logger(RecurrencesService.name);

  constructor(
    private readonly recurrences: RecurrencesRepository,
    private readonly tasks: TasksRepository,
    private readonly rules: TaskRules,
    private readonly database: TenantDatabase,
    private readonly events: EventsService,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  async refusalAt(orgId: string, place: Place): Promise<ServiceError | undefined> {
    const going = (await this.tasks.seriesAt(orgId, place)).map(({ id }) => id);
    if (going.length === 0) return undefined;
    return place.unitId ? unitHasSeries(going) : propertyHasSeries(going);
  }

  due(now: string): Promise<DueTask[]> {
    return this.recurrences.due(now);
  }

  /** Several processes may do so at the same time, and each occurrence is created once. */
  async perform({ orgId, id }: DueTask): Promise<void> {
    await this.database.transaction(orgId, () => this.makeNext(orgId, id, new Date().toISOString()));
  }

  /** Occurrences that passed while no node ran are skipped: the next one is always in the future. */
  private async makeNext(orgId: string, taskId: string, now: string): Promise<void> {
    const series = await this.recurrences.take(orgId, taskId, now);
    const task = series && (await this.tasks.findAny(orgId, taskId));
    if (!series || !task) return;
    // A paused task has come back, for example because its place was archived and restored.
    const local = series.isOutOfUse ? undefined : nextOccurrence(series, localTime(now, series.timezone));
    if (!local && !isRecurrenceRule(series))
      this.log.warn({ taskId, recurrence: series.rule }, 'A recurring task ends because its rule cannot be followed');
    const next =
      local && following(await this.handedOn(task), await this.recurrences.moment(orgId, local, series.timezone));
    // The rule moves on to the next task, so changing an earlier one does not start a second series.
    const before = await this.tasks.update(task, { recurrence: null, seriesStart: null, nextOccurrenceAt: null });
    this.events.record({ orgId }, taskUpdated, task, before);
    if (next) this.events.record({ orgId }, taskCreated, this.tasks.insertAtCommit(next));
  }

  /** To those who can still do it. */
  private async handedOn(task: Task): Promise<Task> {
    const { orgId, assigneeIds, propertyId } = task;
    return { ...task, assigneeIds: await this.rules.stillAble(orgId, assigneeIds, propertyId) };
  }
}
