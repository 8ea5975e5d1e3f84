import { one, operation, page } from '#operations';
import { WorkflowRunView } from './runs/run.dto.js';
import { TestWorkflow, WorkflowTestView } from './dry-run.dto.js';
import { GetWorkflowCatalog, WorkflowCatalogView } from './workflow-catalog.dto.js';
import {
  ActivateWorkflow,
  GetWorkflow,
  ListWorkflows,
  RunWorkflow,
  SaveWorkflow,
  ThisWorkflow,
  UpdateWorkflow,
  WorkflowSecret,
  WorkflowSummary,
  WorkflowView,
} from './workflow.dto.js';

export const listWorkflows = operation({
  name: 'listWorkflows',
  route: 'GET /workflows',
  scope: 'workflows:read',
  effect: 'read',
  reach: 'organization',
  title: 'List workflows',
  description: 'Workflows by status and by what has them run; archived ones only when asked for.',
  input: ListWorkflows,
  output: page(WorkflowSummary),
});

export const getWorkflow = operation({
  name: 'getWorkflow',
  route: 'GET /workflows/{workflowId}',
  scope: 'workflows:read',
  effect: 'read',
  reach: 'organization',
  title: 'Get a workflow',
  description: 'One workflow with one of its versions, also in plain words.',
  input: GetWorkflow,
  output: one(WorkflowView),
});

export const getWorkflowCatalog = operation({
  name: 'getWorkflowCatalog',
  route: 'GET /workflow-catalog',
  scope: 'workflows:read',
  effect: 'read',
  reach: 'organization',
  title: 'See what workflows can do',
  description:
    'The events that have workflows run, the operations that their steps can do, and the facts they can name.',
  input: GetWorkflowCatalog,
  output: one(WorkflowCatalogView),
});

export const saveWorkflow = operation({
  name: 'saveWorkflow',
  route: 'POST /workflows',
  scope: 'workflows:write',
  effect: 'write',
  reach: 'organization',
  title: 'Save a workflow',
  description:
    'Saves a new workflow as a draft; activateWorkflow has it act, testWorkflow shows first what it would do. create_workflow has a model write one.',
  input: SaveWorkflow,
  output: one(WorkflowView),
  status: 201,
});

export const updateWorkflow = operation({
  name: 'updateWorkflow',
  route: 'PATCH /workflows/{workflowId}',
  scope: 'workflows:write',
  effect: 'write',
  reach: 'organization',
  title: 'Change a workflow',
  description:
    'What is changed of trigger, conditions, steps or member makes a new version; the active one acts until activateWorkflow.',
  input: UpdateWorkflow,
  output: one(WorkflowView),
});

export const testWorkflow = operation({
  name: 'testWorkflow',
  route: 'POST /workflows/{workflowId}/test',
  scope: 'workflows:read',
  effect: 'read',
  reach: 'organization',
  title: 'Try a workflow on the past',
  description:
    'Shows which past events, stays or times would have had it run, how its conditions stood and what its steps would have been given. Does nothing.',
  input: TestWorkflow,
  output: one(WorkflowTestView),
});

export const activateWorkflow = operation({
  name: 'activateWorkflow',
  route: 'POST /workflows/{workflowId}/activate',
  scope: 'workflows:activate',
  effect: 'write',
  reach: 'organization',
  title: 'Activate a workflow',
  description: 'Has a version act from now on, also after a pause; what happened before does not have it run.',
  input: ActivateWorkflow,
  output: one(WorkflowView),
});

export const pauseWorkflow = operation({
  name: 'pauseWorkflow',
  route: 'POST /workflows/{workflowId}/pause',
  scope: 'workflows:activate',
  effect: 'write',
  reach: 'organization',
  title: 'Pause a workflow',
  description: 'Has it run no more until activateWorkflow; runs under way go on, cancelWorkflowRun ends them.',
  input: ThisWorkflow,
  output: one(WorkflowView),
});

export const runWorkflow = operation({
  name: 'runWorkflow',
  route: 'POST /workflows/{workflowId}/run',
  scope: 'workflows:activate',
  effect: 'write',
  reach: 'organization',
  title: 'Run a workflow',
  description: 'Runs an active workflow whose trigger is manual, once; getWorkflowRun shows how it goes.',
  input: RunWorkflow,
  output: one(WorkflowRunView),
});

export const archiveWorkflow = operation({
  name: 'archiveWorkflow',
  route: 'POST /workflows/{workflowId}/archive',
  scope: 'workflows:write',
  effect: 'destructive',
  reach: 'organization',
  title: 'Archive a workflow',
  description: 'Takes a workflow out of use for good, and cancels its runs under way.',
  input: ThisWorkflow,
  output: one(WorkflowView),
});

export const revealWorkflowSecret = operation({
  name: 'revealWorkflowSecret',
  route: 'POST /workflows/{workflowId}/secret/reveal',
  scope: 'webhooks:manage',
  effect: 'read',
  reach: 'organization',
  title: 'Show the secret of a workflow',
  description: 'Shows the secret that its webhook steps are signed with, as deliveries of webhook endpoints are.',
  input: ThisWorkflow,
  output: one(WorkflowSecret),
  showsSecret: true,
});
