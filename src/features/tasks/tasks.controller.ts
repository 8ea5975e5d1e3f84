import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { AttachToTask, ThisAttachment } from './attachments/attachment.dto.js';
import { attachToTask, removeAttachment } from './attachments/attachments.operations.js';
import { BulkChanges } from './bulk-changes.service.js';
import type { CommentOnTask, ListTaskComments } from './comments/comment.dto.js';
import { commentOnTask, listTaskComments } from './comments/comments.operations.js';
import type { AssignTask, ChangeTasksInBulk, CreateTask, ThisTask, UpdateTask } from './task-changes.dto.js';
import type { CountTasks, ListTasks } from './task-lists.dto.js';
import { archiveTask, cancelTask, completeTask, reopenTask, restoreTask, startTask } from './task-moves.operations.js';
import {
  assignTask,
  changeTasksInBulk,
  countTasks,
  createTask,
  getTask,
  listTasks,
  updateTask,
} from './tasks.operations.js';
import { TasksService } from './tasks.service.js';

@Controller()
export class TasksController {
  constructor(
    private readonly tasks: TasksService,
    private readonly bulkChanges: BulkChanges,
  ) {}

  @Handles(createTask) create(caller: Caller, input: CreateTask) {
    return this.tasks.create(caller, input);
  }

  @Handles(listTasks) list(caller: Caller, input: ListTasks) {
    return this.tasks.list(caller, input);
  }

  // Before getTask, whose route would take `counts` for an id.
  @Handles(countTasks) count(caller: Caller, input: CountTasks) {
    return this.tasks.count(caller, input);
  }

  @Handles(getTask) get(caller: Caller, { taskId }: ThisTask) {
    return this.tasks.get(caller, taskId);
  }

  @Handles(updateTask) update(caller: Caller, input: UpdateTask) {
    return this.tasks.update(caller, input);
  }

  @Handles(startTask) start(caller: Caller, { taskId }: ThisTask) {
    return this.tasks.move(caller, taskId, 'start');
  }

  @Handles(completeTask) complete(caller: Caller, { taskId }: ThisTask) {
    return this.tasks.move(caller, taskId, 'complete');
  }

  @Handles(cancelTask) cancel(caller: Caller, { taskId }: ThisTask) {
    return this.tasks.move(caller, taskId, 'cancel');
  }

  @Handles(reopenTask) reopen(caller: Caller, { taskId }: ThisTask) {
    return this.tasks.move(caller, taskId, 'reopen');
  }

  @Handles(archiveTask) archive(caller: Caller, { taskId }: ThisTask) {
    return this.tasks.archive(caller, taskId);
  }

  @Handles(restoreTask) restore(caller: Caller, { taskId }: ThisTask) {
    return this.tasks.restore(caller, taskId);
  }

  @Handles(assignTask) assign(caller: Caller, { taskId, assigneeIds }: AssignTask) {
    return this.tasks.assign(caller, taskId, assigneeIds);
  }

  @Handles(changeTasksInBulk) changeInBulk(caller: Caller, input: ChangeTasksInBulk) {
    return this.bulkChanges.change(caller, input);
  }

  @Handles(commentOnTask) comment(caller: Caller, input: CommentOnTask) {
    return this.tasks.comment(caller, input);
  }

  @Handles(listTaskComments) listComments(caller: Caller, input: ListTaskComments) {
    return this.tasks.listComments(caller, input);
  }

  @Handles(removeAttachment) removeAttachment(caller: Caller, input: ThisAttachment) {
    return this.tasks.removeAttachment(caller, input);
  }

  @Handles(attachToTask) attach(caller: Caller, input: AttachToTask) {
    return this.tasks.attach(caller, input);
  }
}
