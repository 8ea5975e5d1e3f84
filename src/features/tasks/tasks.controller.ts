import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { AttachToTask, ThisAttachment } from '../../tasks/attachments/attachment.dto.js';
import type { CommentOnTask, ListTaskComments } from '../../tasks/comments/comment.dto.js';
import type {
  AssignTask,
  ChangeTasksInBulk,
  CountTasks,
  CreateTask,
  ListTasks,
  ThisTask,
  UpdateTask,
} from '../../tasks/task.dto.js';
import {
  archiveTask,
  assignTask,
  attachToTask,
  cancelTask,
  changeTasksInBulk,
  commentOnTask,
  completeTask,
  countTasks,
  createTask,
  getTask,
  listTaskComments,
  listTasks,
  removeAttachment,
  reopenTask,
  restoreTask,
  startTask,
  updateTask,
} from './tasks.operations.js';
import { TasksService } from './tasks.service.js';

@Controller()
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  @Handles(createTask) create(input: CreateTask, caller: Caller) {
    return this.tasks.create(caller, input);
  }

  @Handles(listTasks) list(input: ListTasks, caller: Caller) {
    return this.tasks.list(caller, input);
  }

  // Before getTask, whose route would take `counts` for an id.
  @Handles(countTasks) count(input: CountTasks, caller: Caller) {
    return this.tasks.count(caller, input);
  }

  @Handles(getTask) get({ taskId }: ThisTask, caller: Caller) {
    return this.tasks.get(caller, taskId);
  }

  @Handles(updateTask) update(input: UpdateTask, caller: Caller) {
    return this.tasks.update(caller, input);
  }

  @Handles(startTask) start({ taskId }: ThisTask, caller: Caller) {
    return this.tasks.move(caller, taskId, 'start');
  }

  @Handles(completeTask) complete({ taskId }: ThisTask, caller: Caller) {
    return this.tasks.move(caller, taskId, 'complete');
  }

  @Handles(cancelTask) cancel({ taskId }: ThisTask, caller: Caller) {
    return this.tasks.move(caller, taskId, 'cancel');
  }

  @Handles(reopenTask) reopen({ taskId }: ThisTask, caller: Caller) {
    return this.tasks.move(caller, taskId, 'reopen');
  }

  @Handles(archiveTask) archive({ taskId }: ThisTask, caller: Caller) {
    return this.tasks.archive(caller, taskId);
  }

  @Handles(restoreTask) restore({ taskId }: ThisTask, caller: Caller) {
    return this.tasks.restore(caller, taskId);
  }

  @Handles(assignTask) assign({ taskId, assigneeIds }: AssignTask, caller: Caller) {
    return this.tasks.assign(caller, taskId, assigneeIds);
  }

  @Handles(changeTasksInBulk) changeInBulk(input: ChangeTasksInBulk, caller: Caller) {
    return this.tasks.changeInBulk(caller, input);
  }

  @Handles(commentOnTask) comment(input: CommentOnTask, caller: Caller) {
    return this.tasks.comment(caller, input);
  }

  @Handles(listTaskComments) listComments(input: ListTaskComments, caller: Caller) {
    return this.tasks.listComments(caller, input);
  }

  @Handles(removeAttachment) removeAttachment(input: ThisAttachment, caller: Caller) {
    return this.tasks.removeAttachment(caller, input);
  }

  @Handles(attachToTask) attach(input: AttachToTask, caller: Caller) {
    return this.tasks.attach(caller, input);
  }
}
