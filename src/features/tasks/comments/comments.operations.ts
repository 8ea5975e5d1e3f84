import { one, operation, page } from '#operations';
import { CommentOnTask, CommentView, ListTaskComments } from './comment.dto.js';
import { taskIsArchived } from '../tasks.errors.js';

export const commentOnTask = operation({
  name: 'commentOnTask',
  route: 'POST /tasks/{taskId}/comments',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Comment on a task',
  description: 'Adds a comment to a task.',
  askedAs: 'leave a note, tell colleagues about a repair',
  everyday: true,
  refuses: [taskIsArchived],
  input: CommentOnTask,
  output: one(CommentView),
  status: 201,
});

export const listTaskComments = operation({
  name: 'listTaskComments',
  route: 'GET /tasks/{taskId}/comments',
  scope: 'tasks:read',
  effect: 'read',
  reach: 'property',
  title: 'List comments',
  description: 'Lists the comments on a task, newest first.',
  askedAs: 'notes, what did somebody write about a repair',
  input: ListTaskComments,
  output: page(CommentView),
});
