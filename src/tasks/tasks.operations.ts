import { one, operation, page } from '#operations';
import { CreateTask, ListTasks, TaskView, ThisTask, UpdateTask } from './task.dto.js';

export const createTask = operation({
  name: 'createTask',
  route: 'POST /tasks',
  scope: 'tasks:write',
  effect: 'write',
  title: 'Create a task',
  description: 'Creates a pending task, at a property or for the whole organization.',
  input: CreateTask,
  output: one(TaskView),
  status: 201,
});

export const listTasks = operation({
  name: 'listTasks',
  route: 'GET /tasks',
  scope: 'tasks:read',
  effect: 'read',
  title: 'List tasks',
  description: 'Tasks by status, type, priority, property, assignee and time; newest first unless sorted otherwise.',
  input: ListTasks,
  output: page(TaskView),
});

export const getTask = operation({
  name: 'getTask',
  route: 'GET /tasks/{taskId}',
  scope: 'tasks:read',
  effect: 'read',
  title: 'Get a task',
  description: 'One task with its checklist.',
  input: ThisTask,
  output: one(TaskView),
});

export const updateTask = operation({
  name: 'updateTask',
  route: 'PATCH /tasks/{taskId}',
  scope: 'tasks:write',
  effect: 'write',
  title: 'Change a task',
  description: 'Changes the fields that are given and leaves the others; null clears a field.',
  input: UpdateTask,
  output: one(TaskView),
});

export const completeTask = operation({
  name: 'completeTask',
  route: 'POST /tasks/{taskId}/complete',
  scope: 'tasks:write',
  effect: 'write',
  title: 'Complete a task',
  description: 'Marks a pending or started task done; refused while required checklist items are open.',
  input: ThisTask,
  output: one(TaskView),
});
