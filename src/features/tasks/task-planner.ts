import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { EventsService } from '../../platform/events/events.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { type Neighbours, type Stay, StaysRepository } from '../../tenancy/stays/stays.repository.js';
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

  async followStay(caller: Caller, { stay, before }: StayChange): Promise<void> {
    if (before && isTheSame(stay, before)) return;
    const isNew = stay.status === 'confirmed' && before?.status !== 'confirmed';
    const isOff = ['cancelled', 'declined', 'expired'].includes(stay.status);
    // Stays next to the changed one, at its old and its new place, may have work that looks at their neighbours.
    const neighbours = await this.stays.neighboursOf(caller.orgId, before ? [stay, before] : [stay]);
    const stays = new Map([...neighbours, stay].map((one) => [one.id, one]));
    for (const task of await this.tasks.openOf(caller.orgId, [...stays.keys()])) {
      const isOwn = task.reservationId === stay.id;
      if (isOwn && isOff) await this.callOff(caller, task);
      else if (isOwn || (task.timeRule && looksAround(task.timeRule)))
        await this.fit(caller, task, stays.get(task.reservationId as string) as Stay);
    }
    if (isNew) await this.plan(caller, stay);
  }

  private async plan(caller: Caller, stay: Stay): Promise<void> {
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
    const before = await this.tasks.update(task, { status: 'cancelled', cancelledAt: new Date().toISOString() });
    this.events.record(caller, taskMoved.cancel, task, before);
  }

  /** Gives a task the current times and place of its stay, and does nothing if it has them already. */
  private async fit(caller: Caller, task: Task, stay: Stay): Promise<void> {
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

/** Whether nothing changed that work can hang on. */
const isTheSame = (stay: Stay, before: Stay): boolean =>
  (['propertyId', 'unitId', 'status', 'arrivalAt', 'departureAt'] as const).every(
    (name) => stay[name] === before[name],
  );
