import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { EventsService } from '../../platform/events/events.service.js';
import type { CleaningStatus } from '../../tenancy/properties/property.dto.js';
import { RoomState } from '../../tenancy/rooms/room-state.service.js';
import type { Room } from '../../tenancy/rooms/rooms.repository.js';
import { checklistFrom, failedRequiredItems } from './checklist.js';
import { newTask, type Task } from './task.entity.js';
import { TaskRoomsRepository } from './task-rooms.repository.js';
import { taskCreated } from './tasks.events.js';
import { TasksRepository } from './tasks.repository.js';

/** Updates a room's state when it is cleaned or inspected, if its property wants room state to follow work. */
@Injectable()
export class RoomWork {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly roomsOfTasks: TaskRoomsRepository,
    private readonly rooms: RoomState,
    private readonly events: EventsService,
  ) {}

  /**
   * Locks the rooms that tasks may change, before the tasks themselves: bookings lock in this order.
   *
   * @returns the rooms by the ids of their tasks.
   */
  async lockFor({ orgId }: Caller, taskIds: readonly string[]): Promise<ReadonlyMap<string, Room>> {
    const rooms = await this.roomsOfTasks.of(orgId, taskIds);
    await this.rooms.lock(orgId, [...rooms.values()]);
    return rooms;
  }

  /** Sets the rooms of tasks that have started or ended. */
  async follow(caller: Caller, tasks: readonly Task[], rooms: ReadonlyMap<string, Room>): Promise<void> {
    const done = tasks.flatMap((task) => {
      const [room, status] = [rooms.get(task.id), statusAfter(task)];
      return room && status ? [{ task, room, status }] : [];
    });
    for (const [status, those] of Map.groupBy(done, (one) => one.status))
      await this.rooms.set(
        caller,
        those.map(({ room }) => room),
        status,
      );
    for (const { task, status } of done)
      if (task.type === 'inspection' && status === 'dirty') this.cleanAgain(caller, task);
  }

  private cleanAgain(caller: Caller, { orgId, propertyId, unitId, checklist }: Task): void {
    const failed = failedRequiredItems(checklist);
    const task = newTask(orgId, {
      name: 'Clean again after the inspection',
      type: 'cleaning',
      priority: 'high',
      source: 'automatic',
      propertyId,
      unitId,
      checklist: checklistFrom(failed.map(({ title }) => ({ title, required: true }))),
    });
    this.events.record(caller, taskCreated, this.tasks.insertAtCommit(task));
  }
}

function statusAfter({ type, status, checklist }: Task): CleaningStatus | undefined {
  if (type === 'cleaning') return { in_progress: 'cleaning' as const, completed: 'clean' as const }[status as string];
  if (type !== 'inspection' || status !== 'completed') return undefined;
  return failedRequiredItems(checklist).length > 0 ? 'dirty' : 'inspected';
}
