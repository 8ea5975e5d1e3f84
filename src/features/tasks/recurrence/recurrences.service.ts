import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { EventsService } from '../../../platform/events/events.service.js';
import { PlaceUses } from '../../../organizations/place-uses.js';
import { isRecurrenceRule, localTime, nextOccurrence } from '../../../../libs/recurrence/recurrence-rule.js';
import { TaskRules } from '../task-rules.service.js';
import { newTask, type Task } from '../task.entity.js';
import { placeHasSeries } from '../tasks.errors.js';
import { taskCreated, taskUpdated } from '../../../tasks/tasks.events.js';
import { TasksRepository } from '../tasks.repository.js';
import { type DueTask, RecurrencesRepository } from './recurrences.repository.js';

/** Makes the next task of a series when the time of the one before has come, so that one is always ahead. */
@Injectable()
export class RecurrencesService implements Work<DueTask>, OnModuleInit {
  readonly name = 'recurring-tasks';
  readonly lane = schedules;
  readonly everyMs = 5_000;
  private readonly log = new Logger(RecurrencesService.name);

  constructor(
    private readonly recurrences: RecurrencesRepository,
    private readonly tasks: TasksRepository,
    private readonly rules: TaskRules,
    private readonly database: TenantDatabase,
    private readonly events: EventsService,
    private readonly uses: PlaceUses,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  onModuleInit(): void {
    this.uses.add(async (orgId, place) => {
      const going = (await this.tasks.seriesAt(orgId, place)).map(({ id }) => id);
      return going.length === 0 ? undefined : placeHasSeries(place, going);
    });
  }

  due(now: string): Promise<DueTask[]> {
    return this.recurrences.due(now);
  }

  /** Several processes may do so at once, and each occurrence is made once. */
  async perform({ orgId, id }: DueTask): Promise<void> {
    await this.database.transaction(orgId, () => this.makeNext(orgId, id, new Date().toISOString()));
  }

  /** Occurrences that passed while no node ran are skipped: the next one is always to come. */
  private async makeNext(orgId: string, taskId: string, now: string): Promise<void> {
    const series = await this.recurrences.take(orgId, taskId, now);
    const task = series && (await this.tasks.findAny(orgId, taskId));
    if (!series || !task) return;
    // A task that rested while its place was archived, say, has come back.
    const local = series.isOutOfUse ? undefined : nextOccurrence(series, localTime(now, series.timezone));
    if (!local && !isRecurrenceRule(series))
      this.log.warn({ taskId, recurrence: series.rule }, 'A series ends, as its rule cannot be followed');
    const next =
      local && following(await this.handedOn(task), await this.recurrences.moment(orgId, local, series.timezone));
    // The rule goes on with the next task: changing an earlier one does not begin a second series.
    const before = await this.tasks.update(task, { recurrence: null, seriesStart: null, nextOccurrenceAt: null });
    this.events.record({ orgId }, taskUpdated, task, before);
    if (next) this.events.record({ orgId }, taskCreated, this.tasks.insert(next));
  }

  /** To those who can still do it. */
  private async handedOn(task: Task): Promise<Task> {
    const { orgId, assigneeIds, propertyId } = task;
    return { ...task, assigneeIds: await this.rules.stillAble(orgId, assigneeIds, propertyId) };
  }
}

/** The task of another occurrence: the same work, nothing of it done, its times as far apart as before. */
function following(task: Task, occursAt: string): Task {
  const anchor = Date.parse((task.canStartAt ?? task.dueAt) as string);
  const shifted = (time: string | null): string | null =>
    time && new Date(Date.parse(time) - anchor + Date.parse(occursAt)).toISOString();
  const { name, description, type, priority, propertyId, unitId, assigneeIds, durationMinutes, cost, metadata } = task;
  const kept = { name, description, type, priority, propertyId, unitId, assigneeIds, durationMinutes, cost, metadata };
  return newTask(task.orgId, {
    ...kept,
    checklist: task.checklist.map((item) => ({ ...item, done: false })),
    canStartAt: shifted(task.canStartAt),
    dueAt: shifted(task.dueAt),
    recurrence: task.recurrence,
    seriesStart: task.seriesStart,
    nextOccurrenceAt: occursAt,
    source: 'automatic',
  });
}
