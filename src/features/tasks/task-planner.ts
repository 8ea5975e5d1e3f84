import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { EventsService } from '../../platform/events/events.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import {
  isCalledOff,
  isOn,
  type Neighbours,
  type Stay,
  StaysRepository,
} from '../../tenancy/stays/stays.repository.js';
import type { StayChange, StayFollower } from '../../tenancy/followers/followers.js';
import { checklistFrom } from './checklist.js';
import { newTask, type Task } from './task.entity.js';
import { TaskRules } from './task-rules.service.js';
import { looksAround, timesOf } from './task-times.js';
import { taskCreated, taskMoved, taskUpdated } from './tasks.events.js';
import { TasksRepository } from './tasks.repository.js';

/**
 * The tasks of stays: created when a stay is confirmed, moved when it moves, cancelled when it is cancelled, in the
 * same transaction.
 */
@Injectable()
export class TaskPlanner implements StayFollower {
  constructor(
    private readonly stays: StaysRepository,
    private readonly properties: PropertiesService,
    private readonly rules: TaskRules,
    private readonly tasks: TasksRepository,
    private readonly events: EventsService,
  ) {}

  async lockFor({ orgId }: Caller, changes: readonly StayChange[]): Promise<void> {
    const stays = changes.flatMap(({ stay, before }) => (before ? [stay, before] : [stay]));
    const neighbours = await this.stays.neighboursOf(orgId, stays);
    await this.tasks.openOf(orgId, [...new Set([...stays, ...neighbours].map(({ id }) => id))]);
  }

  async followStay(caller: Caller, { stay, before, leftRoom }: StayChange): Promise<void> {
    if (leftRoom) await this.cleanUpAfter(caller, stay, leftRoom);
    if (before && isTheSame(stay, before)) return;
    const isNew = isOn(stay) && !(before && isOn(before));
    const isOff = isCalledOff(stay);
    const hasLeft = before !== undefined && stay.departedAt !== before.departedAt;
    // Stays next to the changed one, at its old and its new place, may have work that looks at their neighbours.
    const neighbours = await this.stays.neighboursOf(caller.orgId, before ? [stay, before] : [stay]);
    const stays = new Map([...neighbours, stay].map((one) => [one.id, one]));
    for (const task of await this.tasks.openOf(caller.orgId, [...stays.keys()])) {
      const isOwn = task.reservationId === stay.id;
      // Guests who leave early move only work that nobody has started.
      if (hasLeft && task.status !== 'pending') continue;
      if (isOwn && isOff) await this.callOff(caller, task);
      else if (isOwn || (task.timeRule && looksAround(task.timeRule)))
        await this.fit(caller, task, stays.get(task.reservationId as string) as Stay);
    }
    if (isNew) await this.plan(caller, stay, before);
  }

  /** A stay that is on again has its tasks back; a stay that had none gets new ones. */
  private async plan(caller: Caller, stay: Stay, before?: Stay): Promise<void> {
    const known = before ? await this.tasks.plannedFor(caller.orgId, stay.id) : [];
    for (const task of known.filter(({ calledOff }) => calledOff)) await this.bringBack(caller, task, stay);
    if (known.length === 0) await this.planNew(caller, stay);
  }

  private async planNew(caller: Caller, stay: Stay): Promise<void> {
    const { automaticTasks } = await this.properties.get(caller, stay.propertyId);
    const neighbours = await this.stays.neighbours(caller.orgId, stay);
    for (const { name, type, timeRule, checklist = [] } of automaticTasks) {
      const task = newTask(caller.orgId, {
        name,
        type,
        timeRule,
        checklist: checklistFrom(checklist),
        propertyId: stay.propertyId,
        unitId: stay.unitId,
        reservationId: stay.id,
        source: 'automatic',
        ...timesOf(timeRule, stay, neighbours),
      });
      this.tasks.insertAtCommit(task);
      this.events.record(caller, taskCreated, task);
    }
  }

  /** Only people cancel work that a person planned, or that has started. */
  private async callOff(caller: Caller, task: Task): Promise<void> {
    if (task.source !== 'automatic' || task.status !== 'pending') return;
    const cancelled = { status: 'cancelled' as const, cancelledAt: new Date().toISOString(), calledOff: true };
    const before = await this.tasks.update(task, cancelled);
    this.events.record(caller, taskMoved.cancel, task, before);
  }

  private async bringBack(caller: Caller, task: Task, stay: Stay): Promise<void> {
    const before = await this.tasks.update(task, { status: 'pending', cancelledAt: null, calledOff: false });
    this.events.record(caller, taskUpdated, task, before);
    await this.fit(caller, task, stay);
  }

  /** The cleaning of a room that guests leave for another one: planned as after a departure, and it stays there. */
  private async cleanUpAfter(
    caller: Caller,
    stay: Stay,
    { unitId, at }: { unitId: string; at: string },
  ): Promise<void> {
    const { automaticTasks } = await this.properties.get(caller, stay.propertyId);
    const left = { ...stay, unitId, departureAt: at, departedAt: null };
    const neighbours = await this.stays.neighbours(caller.orgId, left);
    for (const { name, type, timeRule, checklist = [] } of automaticTasks.filter((task) => task.type === 'cleaning')) {
      const { canStartAt, dueAt } = timesOf(timeRule, left, neighbours);
      const task = newTask(caller.orgId, {
        name,
        type,
        canStartAt,
        dueAt,
        checklist: checklistFrom(checklist),
        propertyId: stay.propertyId,
        unitId,
        reservationId: stay.id,
        source: 'automatic',
      });
      this.tasks.insertAtCommit(task);
      this.events.record(caller, taskCreated, task);
    }
  }

  /** Gives a task the current times and place of its stay, and does nothing if it has them already. */
  private async fit(caller: Caller, task: Task, stay: Stay): Promise<void> {
    if (isOfLeftRoom(task)) return;
    const times = task.timeRule ? timesOf(task.timeRule, stay, await this.neighbours(task, stay)) : {};
    const place = { propertyId: stay.propertyId, unitId: stay.unitId };
    const changes: Partial<Task> = { ...times, ...place };
    const isSame = Object.entries(changes).every(([name, value]) => task[name as keyof Task] === value);
    if (isSame) return;
    if (task.propertyId !== stay.propertyId)
      changes.assigneeIds = await this.rules.stillAble(task.orgId, task.assigneeIds, stay.propertyId);
    const before = await this.tasks.update(task, changes);
    this.events.record(caller, taskUpdated, task, before);
  }

  private async neighbours({ orgId, timeRule }: Task, stay: Stay): Promise<Neighbours> {
    if (timeRule && looksAround(timeRule)) return await this.stays.neighbours(orgId, stay);
    return { previousDeparture: null, nextArrival: null };
  }
}

/** The cleaning of a room that its guests left for another one: the only automatic work without a rule. */
const isOfLeftRoom = ({ source, timeRule }: Task): boolean => source === 'automatic' && !timeRule;

/** Whether nothing changed that work can hang on. */
const isTheSame = (stay: Stay, before: Stay): boolean =>
  (
    ['propertyId', 'unitId', 'unitTypeId', 'status', 'released', 'arrivalAt', 'departureAt', 'departedAt'] as const
  ).every((name) => stay[name] === before[name]);
