import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { MembersRepository } from '../organizations/members.repository.js';
import { PropertiesService } from '../organizations/properties.service.js';
import { StaysRepository } from '../organizations/stays.repository.js';
import { UnitsService } from '../organizations/units.service.js';
import { isRecurrenceRule } from './recurrence/recurrence-rule.js';
import { timesOf } from './task-times.js';
import type { Task } from './task.entity.js';
import {
  assigneeCannotSeeProperty,
  assigneeUnknown,
  dueBeforeStart,
  propertyMustBeNamed,
  recurrenceUnreadable,
  recurrenceWithoutTime,
  ruleBesideTimes,
  ruleWithoutStay,
  stayIsElsewhere,
  stayNotFound,
  unitWithoutProperty,
} from './tasks.errors.js';

/** The rules that hold between the fields of a task and what it refers to. */
@Injectable()
export class TaskRules {
  constructor(
    private readonly properties: PropertiesService,
    private readonly units: UnitsService,
    private readonly members: MembersRepository,
    private readonly stays: StaysRepository,
  ) {}

  /**
   * Checks a task as it would be and completes what follows from its stay.
   *
   * @param task as it would be after the change.
   * @param changes what was given, as far as it can break a rule.
   * @returns the changes with what follows from them.
   */
  async complete(caller: Caller, task: Task, changes: Partial<Task>): Promise<Partial<Task>> {
    const followed = { ...changes, ...(await this.followStay(caller, task, changes)) };
    const wanted = { ...task, ...followed };
    if (wanted.canStartAt && wanted.dueAt && wanted.dueAt < wanted.canStartAt) throw dueBeforeStart();
    if (caller.propertyIds && !wanted.propertyId) throw propertyMustBeNamed();
    await this.checkPlace(caller, wanted, followed);
    if (followed.assigneeIds || followed.propertyId) await this.checkAssignees(wanted);
    return { ...followed, ...seriesOf(wanted, changes) };
  }

  /** A task is done where its stay is and, with a rule, when the stay says. */
  private async followStay(caller: Caller, task: Task, changes: Partial<Task>): Promise<Partial<Task>> {
    if (task.timeRule && !task.reservationId) throw ruleWithoutStay();
    if (task.timeRule && (changes.canStartAt || changes.dueAt)) throw ruleBesideTimes();
    if (!task.reservationId || (!changes.reservationId && !changes.timeRule && !changes.propertyId && !changes.unitId))
      return {};
    const stay = await this.stays.find(caller, task.reservationId);
    if (!stay) throw stayNotFound();
    const isElsewhere =
      (changes.propertyId && changes.propertyId !== stay.propertyId) ||
      (changes.unitId && changes.unitId !== stay.unitId);
    if (isElsewhere) throw stayIsElsewhere();
    const place = { propertyId: stay.propertyId, unitId: stay.unitId };
    if (!task.timeRule) return place;
    return { ...place, ...timesOf(task.timeRule, stay, await this.stays.neighbours(caller.orgId, stay)) };
  }

  private async checkPlace(caller: Caller, { propertyId, unitId }: Task, changes: Partial<Task>): Promise<void> {
    if (unitId && !propertyId) throw unitWithoutProperty();
    if (changes.propertyId) await this.properties.get(caller, changes.propertyId);
    if (unitId && propertyId && (changes.unitId || changes.propertyId))
      await this.units.usable(caller.orgId, propertyId, unitId);
  }

  private async checkAssignees({ orgId, assigneeIds, propertyId }: Task): Promise<void> {
    if (assigneeIds.length === 0) return;
    const members = await this.members.findMany(orgId, assigneeIds);
    const active = members.filter(({ status }) => status === 'active');
    if (active.length < assigneeIds.length) throw assigneeUnknown();
    const sees = (allowed: string[] | null) => !allowed || (propertyId !== null && allowed.includes(propertyId));
    if (!active.every(({ propertyIds }) => sees(propertyIds))) throw assigneeCannotSeeProperty();
  }
}

/** A series begins anew with a new rule or new times, and ends with the rule. */
function seriesOf(task: Task, changes: Partial<Task>): Partial<Task> {
  if (changes.recurrence === undefined && changes.canStartAt === undefined && changes.dueAt === undefined) return {};
  if (!task.recurrence) return { seriesStart: null, nextOccurrenceAt: null };
  const start = task.canStartAt ?? task.dueAt;
  if (!isRecurrenceRule(task.recurrence)) throw recurrenceUnreadable();
  if (!start || task.reservationId) throw recurrenceWithoutTime();
  return { seriesStart: start, nextOccurrenceAt: start };
}
