import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { isSameValue } from '#persistence';
import type { Member } from '../../tenancy/members/member.entity.js';
import { MembersRepository } from '../../tenancy/members/members.repository.js';
import { OrganizationsService } from '../../tenancy/organizations/organizations.service.js';
import { propertyIsArchived } from '../../tenancy/properties/properties.errors.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { isRecurrenceRule, localTime } from '#recurrence';
import { NeighboursRepository } from '../../tenancy/stays/neighbours.repository.js';
import { StaysRepository } from '../../tenancy/stays/stays.repository.js';
import { UnitsService } from '../../tenancy/units/units.service.js';
import { timesOf } from './task-times.js';
import type { Task } from './task.entity.js';
import {
  assigneeCannotSeeProperty,
  assigneeUnknown,
  dueBeforeStart,
  propertyMustBeNamed,
  recurrenceTooOld,
  recurrenceUnreadable,
  recurrenceWithoutTime,
  ruleBesideTimes,
  ruleWithoutStay,
  stayIsElsewhere,
  stayNotFound,
  taskIsArchived,
  taskNotFound,
  unitWithoutProperty,
} from './tasks.errors.js';

/** The rules between the fields of a task and the records that it refers to. */
@Injectable()
export class TaskRules {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly properties: PropertiesService,
    private readonly units: UnitsService,
    private readonly members: MembersRepository,
    private readonly stays: StaysRepository,
    private readonly neighbours: NeighboursRepository,
  ) {}

  /**
   * Checks a task as it would be, and resolves what follows from its stay.
   *
   * @param task as it would be after the change.
   * @param changes what was given, as far as it can break a rule.
   * @param before the task as it is, where there is one.
   * @returns the changes with what follows from them.
   */
  async resolve(caller: Caller, task: Task, changes: Partial<Task>, before?: Task): Promise<Partial<Task>> {
    const others = before ? differing(before, changes) : changes;
    const followed = { ...changes, ...leavesUnit(changes), ...(await this.followStay(caller, task, others)) };
    const wanted: Task = { ...task, ...followed };
    if (wanted.canStartAt && wanted.dueAt && wanted.dueAt < wanted.canStartAt) throw dueBeforeStart();
    if (caller.propertyIds && !wanted.propertyId) throw propertyMustBeNamed();
    await this.checkPlace(caller, wanted, changes);
    // Assignees who have left do not prevent changes of a task that stays at its place.
    if (changes.assigneeIds || changes.propertyId !== undefined || wanted.propertyId !== task.propertyId)
      (await this.checkOf(wanted.orgId, wanted.assigneeIds))(wanted.propertyId);
    return { ...followed, ...(await this.seriesOf(caller, wanted, changes, before)) };
  }

  /** A unit that a task gets stays as it is from now on: call it before the task is locked, as work in the unit does. */
  async keepUnit({ orgId }: Caller, unitId: string): Promise<void> {
    await this.units.locked(orgId, [unitId]);
  }

  /** Reads members once and returns a check whether they can do a task at a property. */
  async checkOf(orgId: string, assigneeIds: readonly string[]): Promise<(propertyId: string | null) => void> {
    const active = await this.active(orgId, assigneeIds);
    if (active.length < assigneeIds.length) throw assigneeUnknown();
    return (propertyId) => {
      if (!active.every((member) => sees(member, propertyId))) throw assigneeCannotSeeProperty();
    };
  }

  /** The assignees who can still do the task, for automatic changes, which have no caller who could correct them. */
  async stillAble(orgId: string, assigneeIds: readonly string[], propertyId: string | null): Promise<string[]> {
    const able = (await this.active(orgId, assigneeIds)).filter((member) => sees(member, propertyId));
    return assigneeIds.filter((assigneeId) => able.some(({ id }) => id === assigneeId));
  }

  private async active(orgId: string, memberIds: readonly string[]): Promise<Member[]> {
    const members = memberIds.length > 0 ? await this.members.findMany(orgId, memberIds) : [];
    return members.filter(({ status }) => status === 'active');
  }

  /** A task is done where its stay is and, with a rule, when the stay says. */
  private async followStay(
    caller: Caller,
    { reservationId, timeRule }: Task,
    changes: Partial<Task>,
  ): Promise<Partial<Task>> {
    if (timeRule && (changes.canStartAt || changes.dueAt)) throw ruleBesideTimes();
    if (!reservationId) {
      if (timeRule) throw ruleWithoutStay();
      return {};
    }
    if (tiedToStay.every((name) => changes[name] === undefined)) return {};
    const stay = await this.stays.find(caller, reservationId);
    if (!stay) throw stayNotFound();
    const isElsewhere =
      (changes.propertyId && changes.propertyId !== stay.propertyId) ||
      (changes.unitId && changes.unitId !== stay.unitId);
    if (isElsewhere) throw stayIsElsewhere();
    const place = { propertyId: stay.propertyId, unitId: stay.unitId };
    if (!timeRule) return place;
    return { ...place, ...timesOf(timeRule, stay, await this.neighbours.of(caller.orgId, stay)) };
  }

  /** A place that is given must be there and in use; that of a stay is there. */
  private async checkPlace(caller: Caller, wanted: Task, changes: Partial<Task>): Promise<void> {
    const { propertyId, unitId } = wanted;
    if (unitId && !propertyId) throw unitWithoutProperty();
    if (changes.propertyId) {
      const { archivedAt } = await this.properties.get(caller, changes.propertyId);
      if (archivedAt) throw propertyIsArchived();
    }
    if (changes.unitId && propertyId) await this.units.usable(caller.orgId, propertyId, changes.unitId);
  }

  /** A series restarts with a new rule or new times, and ends with the rule. */
  private async seriesOf(caller: Caller, task: Task, changes: Partial<Task>, before?: Task): Promise<Partial<Task>> {
    const names = ['recurrence', 'canStartAt', 'dueAt', 'reservationId'] as const;
    if (names.every((name) => changes[name] === undefined || changes[name] === before?.[name])) return {};
    if (!task.recurrence) return { seriesStart: null, nextOccurrenceAt: null };
    const start = task.canStartAt ?? task.dueAt;
    if (!start || task.reservationId) throw recurrenceWithoutTime();
    if (Date.parse(start) < Date.now() - longestAgoMs) throw recurrenceTooOld();
    const { timezone } = task.propertyId
      ? await this.properties.get(caller, task.propertyId)
      : await this.organizations.get(caller);
    const series = { rule: task.recurrence, start: localTime(start, timezone), timezone };
    if (!isRecurrenceRule(series)) throw recurrenceUnreadable();
    return { seriesStart: start, nextOccurrenceAt: start };
  }
}

const sees = ({ propertyIds }: Member, propertyId: string | null): boolean =>
  !propertyIds || (propertyId !== null && propertyIds.includes(propertyId));

/** The fields whose change can separate a task from its stay. */
const tiedToStay = ['reservationId', 'timeRule', 'propertyId', 'unitId', 'canStartAt', 'dueAt'] as const;

/** The real changes of those fields: a client may send back what it has read. */
const differing = (task: Task, changes: Partial<Task>): Partial<Task> =>
  Object.fromEntries(
    tiedToStay.flatMap((name) =>
      changes[name] === undefined || isSameValue(changes[name], task[name]) ? [] : [[name, changes[name]]],
    ),
  );

/** At another property a task is in no unit, unless one is named. */
const leavesUnit = ({ propertyId, unitId }: Partial<Task>): Partial<Task> =>
  propertyId !== undefined && unitId === undefined ? { unitId: null } : {};

/** Computing from the start of a series takes longer the older the start is. */
const longestAgoMs = 366 * 86_400_000;

/**
 * The task, if the caller can change it now.
 *
 * @param archived whether an archived one will do.
 */
export function changeable(caller: Caller, task: Task | undefined, { archived = false }): Task {
  if (!task) throw taskNotFound();
  expectVersion(caller, task);
  if (task.archivedAt && !archived) throw taskIsArchived();
  return task;
}
