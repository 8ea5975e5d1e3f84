import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '#access';
import { EventsService } from '../events/events.service.js';
import { PropertiesService } from '../organizations/properties.service.js';
import { type StayChange, StayChanges } from '../organizations/stay-changes.js';
import { type Stay, StaysRepository } from '../organizations/stays.repository.js';
import { checklistFrom } from './checklist.js';
import { newTask, type Task } from './task.entity.js';
import { looksAround, timesOf } from './task-times.js';
import { taskCreated, taskMoved, taskUpdated } from './tasks.events.js';
import { TasksRepository } from './tasks.repository.js';

/**
 * The tasks that hang on stays: made when a stay is confirmed, moved when it moves, called off when it is, in the same
 * transaction.
 */
@Injectable()
export class TaskPlanner implements OnModuleInit {
  constructor(
    private readonly changes: StayChanges,
    private readonly stays: StaysRepository,
    private readonly properties: PropertiesService,
    private readonly tasks: TasksRepository,
    private readonly events: EventsService,
  ) {}

  onModuleInit(): void {
    this.changes.listen((caller, change) => this.follow(caller, change));
  }

  private async follow(caller: Caller, { stay, before }: StayChange): Promise<void> {
    const isNew = stay.status === 'confirmed' && before?.status !== 'confirmed';
    const isOff = ['cancelled', 'declined', 'expired'].includes(stay.status) && stay.status !== before?.status;
    if (isOff) await this.callOff(caller, stay);
    else if (before) await this.move(caller, stay);
    if (isNew) await this.plan(caller, stay);
    await this.moveBesides(caller, stay, before);
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
      this.tasks.insert(task);
      this.events.record(caller, taskCreated, task);
    }
  }

  private async callOff(caller: Caller, stay: Stay): Promise<void> {
    const cancelledAt = new Date().toISOString();
    for (const task of await this.tasks.openOf(caller.orgId, stay.id)) {
      if (task.source !== 'automatic' || task.status !== 'pending') continue;
      await this.tasks.update(task, { status: 'cancelled', cancelledAt });
      this.events.record(caller, taskMoved.cancel, task);
    }
  }

  private async move(caller: Caller, stay: Stay): Promise<void> {
    for (const task of await this.tasks.openOf(caller.orgId, stay.id)) await this.fit(caller, task, stay);
  }

  /** Stays next to a changed one, at its old and its new place, may have work that looks at their neighbours. */
  private async moveBesides(caller: Caller, stay: Stay, before: Stay | undefined): Promise<void> {
    const { orgId } = caller;
    const besides = [
      ...(await this.stays.besides(orgId, stay)),
      ...(before ? await this.stays.besides(orgId, before) : []),
    ];
    for (const neighbour of new Map(besides.map((found) => [found.id, found])).values()) {
      for (const task of await this.tasks.openOf(orgId, neighbour.id)) {
        if (task.timeRule && looksAround(task.timeRule)) await this.fit(caller, task, neighbour);
      }
    }
  }

  /** Gives a task the times and the place that its stay has now, and leaves it alone where it has them already. */
  private async fit(caller: Caller, task: Task, stay: Stay): Promise<void> {
    const times = task.timeRule ? timesOf(task.timeRule, stay, await this.stays.neighbours(task.orgId, stay)) : {};
    const place = { propertyId: stay.propertyId, unitId: stay.unitId };
    const changes: Partial<Task> = { ...times, ...place };
    const isSame = Object.entries(changes).every(([name, value]) => task[name as keyof Task] === value);
    if (isSame) return;
    await this.tasks.update(task, changes);
    this.events.record(caller, taskUpdated, task);
  }
}
