import { taskOf } from '../../../support/factories.js';
import { activeWorkflowOf, hasEnded, moved, runWhen, workflowOf } from '../../../support/workflows.js';
import { patching, posting, type Scenes, world } from './world.js';

const ofWorkflow = (path: string) => (id: string) => `/workflows/${id}${path}`;

const ofRun = (path: string) => (id: string) => `/workflow-runs/${id}${path}`;

/** A workflow that people run, and that waits for a day. */
export const waiting = (): Promise<string> =>
  activeWorkflowOf(world.api, { trigger: { kind: 'manual' }, steps: [{ kind: 'wait', minutes: 1_440 }] });

const waitingRun = async (): Promise<string> => {
  const id = await waiting();
  await world.api.post(`/workflows/${id}/run`);
  return (await runWhen(world.api, id, ({ status }) => status === 'waiting')).id as string;
};

/** A run that starts a completed task. */
const failedRun = async (): Promise<string> => {
  const taskId = await taskOf(world.api);
  await world.api.post(`/tasks/${taskId}/complete`);
  const steps = [{ kind: 'operation', operation: 'startTask', input: { taskId } }];
  const id = await activeWorkflowOf(world.api, { trigger: { kind: 'manual' }, steps });
  await world.api.post(`/workflows/${id}/run`);
  return (await runWhen(world.api, id, hasEnded)).id as string;
};

export const workflows: Scenes = {
  saveWorkflow: [['workflow.created'], () => Promise.resolve(() => world.api.post('/workflows', moved()))],
  updateWorkflow: [['workflow.updated'], patching(() => workflowOf(world.api), ofWorkflow(''), { name: 'Other' })],
  activateWorkflow: [['workflow.activated'], posting(() => workflowOf(world.api), ofWorkflow('/activate'))],
  pauseWorkflow: [['workflow.paused'], posting(waiting, ofWorkflow('/pause'))],
  archiveWorkflow: [['workflow.archived'], posting(() => workflowOf(world.api), ofWorkflow('/archive'))],
  runWorkflow: [['workflow_run.created'], posting(waiting, ofWorkflow('/run'))],
  retryWorkflowRun: [['workflow_run.retried'], posting(failedRun, ofRun('/retry'))],
  cancelWorkflowRun: [['workflow_run.cancelled'], posting(waitingRun, ofRun('/cancel'))],
};
