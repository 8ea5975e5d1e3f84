import { one, operation, page } from '#operations';
import { ListWorkflowRuns, ThisWorkflowRun, WorkflowRunView } from './run.dto.js';
import { runHasEnded, runHasNotFailed } from './runs.errors.js';
import { workflowIsArchived } from '../workflows.errors.js';

export const listWorkflowRuns = operation({
  name: 'listWorkflowRuns',
  route: 'GET /workflow-runs',
  scope: 'workflows:read',
  effect: 'read',
  reach: 'property',
  title: 'List runs of workflows',
  description: 'Lists runs of workflows by workflow, status and stay, newest first.',
  askedAs: 'executions of an automation, which failed',
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
  description: 'Returns one run with its timeline: its trigger, and the input and result of each step.',
  askedAs: 'why a run failed, its log',
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
  description: 'Retries the failed step; if it succeeds, the run continues.',
  askedAs: 'run again after an error, continue',
  refuses: [runHasNotFailed, workflowIsArchived],
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
  description: 'Cancels a run in progress. A step that has started is completed; later steps are not started.',
  askedAs: 'abort an execution',
  refuses: [runHasEnded],
  input: ThisWorkflowRun,
  output: one(WorkflowRunView),
});
