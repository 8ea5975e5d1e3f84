import { taskOf } from '../../../support/factories.js';
import { patching, posting, type Scene, type Scenes, world } from './world.js';
import { machine } from './people.js';

const after =
  (first: string, then: string, body?: object): Scene =>
  async () => {
    const id = await taskOf(world.api);
    await world.api.post(`/tasks/${id}/${first}`);
    return () => world.api.post(`/tasks/${id}/${then}`, body);
  };

const task = (path: string) => (id: string) => `/tasks/${id}${path}`;

const png = {
  fileName: 'a.png',
  contentType: 'image/png',
  content: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
};

export const tasks: Scenes = {
  createTask: [['task.created'], () => Promise.resolve(() => world.api.post('/tasks', { name: 'Sweep' }))],
  updateTask: [['task.updated'], patching(() => taskOf(world.api), task(''), { priority: 'low' })],
  assignTask: [
    ['task.assigned'],
    async () => {
      const [id, memberId] = [await taskOf(world.api), await machine()];
      return () => world.api.post(`/tasks/${id}/assign`, { assigneeIds: [memberId] });
    },
  ],
  startTask: [['task.started'], posting(() => taskOf(world.api), task('/start'))],
  completeTask: [['task.completed'], posting(() => taskOf(world.api), task('/complete'))],
  reopenTask: [['task.reopened'], after('complete', 'reopen')],
  cancelTask: [['task.cancelled'], posting(() => taskOf(world.api), task('/cancel'))],
  archiveTask: [['task.archived'], posting(() => taskOf(world.api), task('/archive'))],
  restoreTask: [['task.restored'], after('archive', 'restore')],
  commentOnTask: [['task.commented'], posting(() => taskOf(world.api), task('/comments'), { text: 'Done soon' })],
  attachToTask: [['task.file_attached'], posting(() => taskOf(world.api), task('/attachments'), png)],
  removeAttachment: [
    ['task.file_removed'],
    async () => {
      const taskId = await taskOf(world.api);
      const { attachments } = (await world.api.post(`/tasks/${taskId}/attachments`, png)).body.data;
      return () => world.api.delete(`/tasks/${taskId}/attachments/${attachments[0].id}`);
    },
  ],
  changeTasksInBulk: [
    ['task.started', 'task.started'],
    async () => {
      const taskIds = [await taskOf(world.api), await taskOf(world.api)];
      return () => world.api.post('/tasks/bulk', { taskIds, action: 'start' });
    },
  ],
  undoChanges: [
    ['task.updated'],
    async () => {
      const { body } = await world.api.post(`/tasks/${await taskOf(world.api)}/start`);
      return () => world.api.post('/changes/undo', { requestId: body.meta.requestId });
    },
  ],
};
