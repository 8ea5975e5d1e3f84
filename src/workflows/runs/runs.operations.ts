import { one, operation, page } from '#operations';
import { ListWorkflowRuns, ThisWorkflowRun, WorkflowRunView } from './run.dto.js';

export const listWorkflowRuns = operation({
  name: 'listWorkflowRuns',
  route: 'GET /workflow-runs',
  scope: 'workflows:read',
  effect: 'read',
  reach: 'property',
  title: 'List runs of workflows',
  description: 'What workflows did and are doing, by workflow, status and stay, newest first.',
  input: ListWorkflowRuns,
  output: page(WorkflowRunView),
});

export const getWorkflowRun = operation({
  name: 'getWorkflowRun',
  route: 'GET /workflow-runs/{runId}',
  scope: 'workflows:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a run of a workflow',
  description: 'One run with its timeline: what triggered it, what each step was given and what came of it.',
  input: ThisWorkflowRun,
  output: one(WorkflowRunView),
});

export const retryWorkflowRun = operation({
  name: 'retryWorkflowRun',
  route: 'POST /workflow-runs/{runId}/retry',
  scope: 'workflows:activate',
  effect: 'write',
  reach: 'organization',
  title: 'Retry a failed run',
  description: 'Has the step that failed tried again, and the run go on from there.',
  input: ThisWorkflowRun,
  output: one(WorkflowRunView),
});

export const cancelWorkflowRun = operation({
  name: 'cancelWorkflowRun',
  route: 'POST /workflow-runs/{runId}/cancel',
  scope: 'workflows:activate',
  effect: 'destructive',
  reach: 'property',
  title: 'Cancel a run',
  description: 'Ends a run that is under way; a step that has begun is still done, and no other.',
  input: ThisWorkflowRun,
  output: one(WorkflowRunView),
});
