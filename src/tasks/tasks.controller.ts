import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CreateTask, ListTasks, ThisTask, UpdateTask } from './task.dto.js';
import { completeTask, createTask, getTask, listTasks, updateTask } from './tasks.operations.js';
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

  @Handles(getTask) get({ taskId }: ThisTask, caller: Caller) {
    return this.tasks.get(caller, taskId);
  }

  @Handles(updateTask) update(input: UpdateTask, caller: Caller) {
    return this.tasks.update(caller, input);
  }

  @Handles(completeTask) complete({ taskId }: ThisTask, caller: Caller) {
    return this.tasks.complete(caller, taskId);
  }
}
