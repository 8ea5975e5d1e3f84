import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { bulkErrorOf, idPattern } from '#operations';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import type { Room } from '../../tenancy/rooms/rooms.repository.js';
import { AttachmentsService } from './attachments/attachments.service.js';
import { RoomWork } from './room-work.service.js';
import type { BulkAction, BulkResult, ChangeTasksInBulk } from './task-changes.dto.js';
import type { Task } from './task.entity.js';
import { moves } from './task-moves.js';
import { changeable, TaskRules } from './task-rules.service.js';
import { taskArchived, taskAssigned, type TaskEventData, taskMoved } from './tasks.events.js';
import { assigneesGoWithAssign } from './tasks.errors.js';
import { TasksRepository } from './tasks.repository.js';

/** One action on many tasks. */
@Injectable()
export class BulkChanges {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly rules: TaskRules,
    private readonly roomWork: RoomWork,
    private readonly attachments: AttachmentsService,
    private readonly events: EventsService,
  ) {}

  /** Each task separately: an error for one does not affect the others. One statement reads them, one writes them. */
  async change(caller: Caller, { taskIds, action, assigneeIds }: ChangeTasksInBulk): Promise<BulkResult[]> {
    const changesTo = await this.changeOf(caller, action, assigneeIds);
    const ids = taskIds.filter((id) => idPattern('task').test(id));
    const rooms = action in moves ? await this.roomWork.lockFor(caller, ids) : new Map<string, Room>();
    const found = new Map((await this.tasks.findForChange(caller, ids)).map((task) => [task.id, task]));
    const accepted: Task[] = [];
    let changes: Partial<Task> = {};
    const results = taskIds.map((taskId) =>
      resultOf(caller, taskId, () => {
        const task = changeable(caller, found.get(taskId), { archived: action === 'archive' });
        if (action === 'archive' && task.archivedAt) return task;
        // The same for all of them: only the action decides.
        changes = changesTo(task);
        accepted.push(task);
        return task;
      }),
    );
    await this.events.recordAll(caller, await this.tasks.updateAll(accepted, changes), () => changedInBulk[action]);
    await this.roomWork.follow(caller, accepted, rooms);
    for (const task of found.values()) this.attachments.link(task);
    return results;
  }

  /** What an action changes in a task, or why it cannot be. */
  private async changeOf(
    { orgId }: Caller,
    action: BulkAction,
    assigneeIds: string[] | undefined,
  ): Promise<(task: Task) => Partial<Task>> {
    if ((action === 'assign') !== (assigneeIds !== undefined)) throw assigneesGoWithAssign();
    if (action === 'archive') return () => ({ archivedAt: new Date().toISOString() });
    if (action !== 'assign') return moves[action];
    const given = assigneeIds as string[];
    const check = await this.rules.checkOf(orgId, given);
    return (task) => {
      check(task.propertyId);
      return { assigneeIds: given };
    };
  }
}

const bulkAction = { service: 'tasks', method: 'changeTasksInBulk' };

function resultOf({ requestId }: Caller, taskId: string, change: () => Task): BulkResult {
  try {
    return { taskId, task: change() };
  } catch (error) {
    return { taskId, error: bulkErrorOf(error, requestId, bulkAction) };
  }
}

const changedInBulk: Record<BulkAction, ChangeType<TaskEventData>> = {
  ...taskMoved,
  archive: taskArchived,
  assign: taskAssigned,
};
