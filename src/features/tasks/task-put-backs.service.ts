import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { ChangeType, EventType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import type { Fields } from '../../platform/events/images.js';
import { type PutBack, PutBacks } from '../../platform/events/put-backs.js';
import { RoomWork } from './room-work.service.js';
import type { Task } from './task.entity.js';
import { TaskRules } from './task-rules.service.js';
import type { TaskEventData } from './tasks.events.js';
import { TasksRepository } from './tasks.repository.js';

/** Undoes changes of tasks; the room of one is undone with its own change. */
@Injectable()
export class TaskPutBacks implements PutBack<Task> {
  readonly scope = 'tasks:write';

  constructor(
    putBacks: PutBacks,
    private readonly tasks: TasksRepository,
    private readonly rules: TaskRules,
    private readonly roomWork: RoomWork,
    private readonly events: EventsService,
  ) {
    putBacks.add('task', this);
  }

  stored(fields: Fields): Partial<Task> {
    return this.tasks.columnsOf(fields);
  }

  async find(caller: Caller, { id }: { id: string }): Promise<Task | undefined> {
    await this.roomWork.lockFor(caller, [id]);
    return (await this.tasks.findForChange(caller, [id]))[0];
  }

  async write(caller: Caller, task: Task, fields: Partial<Task>, event: EventType): Promise<void> {
    const given = Object.entries(fields).filter(([name]) => ['propertyId', 'unitId', 'assigneeIds'].includes(name));
    await this.rules.resolve(caller, { ...task, ...fields }, Object.fromEntries(given), task);
    const before = await this.tasks.update(task, fields);
    this.events.record(caller, event as ChangeType<TaskEventData>, task, before);
  }
}
