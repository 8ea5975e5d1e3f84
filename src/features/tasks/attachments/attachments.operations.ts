import { DeletionView, one, operation } from '#operations';
import { AttachToTask, ThisAttachment } from './attachment.dto.js';
import { TaskView } from '../task.dto.js';
import { fileIsNotOfItsType, taskIsArchived, tooManyFiles } from '../tasks.errors.js';
import { quotaExceeded } from '../../../tenancy/quotas/quotas.errors.js';

export const attachToTask = operation({
  name: 'attachToTask',
  route: 'POST /tasks/{taskId}/attachments',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Attach a file',
  description: 'Attaches a picture, PDF or text file of up to 5 MiB, encoded in base64.',
  askedAs: 'upload a photo of the damage',
  refuses: [fileIsNotOfItsType, quotaExceeded, taskIsArchived, tooManyFiles],
  input: AttachToTask,
  output: one(TaskView),
  status: 201,
  maxBodyBytes: 8 * 1_048_576,
});

export const removeAttachment = operation({
  name: 'removeAttachment',
  route: 'DELETE /tasks/{taskId}/attachments/{fileId}',
  scope: 'tasks:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Remove a file',
  description: 'Deletes a file from a task permanently, including an archived task. Links to it stop working.',
  askedAs: 'delete a photo',
  input: ThisAttachment,
  output: one(DeletionView),
});
