import { either, one, operation, page } from '#operations';
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
import {
  conditionsDoNotHold,
  workflowIsArchived,
  workflowIsNotActive,
  workflowIsNotManual,
} from './workflows.errors.js';
import { quotaExceeded } from '../../tenancy/quotas/quotas.errors.js';

export const listWorkflows = operation({
  name: 'listWorkflows',
  route: 'GET /workflows',
  scope: 'workflows:read',
  effect: 'read',
  reach: 'organization',
  title: 'List workflows',
  description: 'Lists workflows by status and trigger; archived ones only on request.',
  askedAs: 'automations, which are active',
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
  description: 'Returns one workflow with one of its versions, also described in plain words.',
  askedAs: 'read the steps of an automation',
  input: GetWorkflow,
  output: one(WorkflowView),
});

export const getWorkflowCatalog = operation({
  name: 'getWorkflowCatalog',
  route: 'GET /workflow-catalog',
  scope: 'workflows:read',
  effect: 'read',
  reach: 'organization',
  title: 'Get the workflow catalog',
  description:
    'Lists what triggers workflows, what their steps can run and which facts exist. It is long: ask with summary=true first, then by name.',
  askedAs: 'building blocks, possible triggers and steps',
  input: GetWorkflowCatalog,
  output: either(WorkflowCatalogView),
});

export const saveWorkflow = operation({
  name: 'saveWorkflow',
  route: 'POST /workflows',
  scope: 'workflows:write',
  effect: 'write',
  reach: 'organization',
  title: 'Save a workflow',
  description:
    'Saves a new workflow as a draft. testWorkflow shows what it would do; activateWorkflow activates it. create_workflow has a model write one.',
  askedAs: 'create an automation, message guests some days before arrival',
  refuses: [quotaExceeded],
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
    'Saves changes of trigger, conditions, steps or member as a new version. The active version does not change until activateWorkflow.',
  askedAs: 'edit steps, new version',
  refuses: [workflowIsArchived],
  input: UpdateWorkflow,
  output: one(WorkflowView),
});

export const testWorkflow = operation({
  name: 'testWorkflow',
  route: 'POST /workflows/{workflowId}/test',
  scope: 'workflows:read',
  effect: 'read',
  reach: 'organization',
  title: 'Test a workflow on the past',
  description:
    'Shows which past events, stays or times would have triggered the workflow, how its conditions evaluated and what its steps would have received. Changes nothing.',
  askedAs: 'dry run, what would have happened',
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
  description: 'Activates a version, including after a pause. Earlier events do not trigger it.',
  askedAs: 'turn on, take effect from now on',
  refuses: [workflowIsArchived],
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
  description: 'Pauses a workflow until activateWorkflow. Runs in progress continue; cancelWorkflowRun ends them.',
  askedAs: 'turn off or stop for now, temporarily',
  refuses: [workflowIsArchived, workflowIsNotActive],
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
  description: 'Runs an active workflow with a manual trigger once; getWorkflowRun shows its progress.',
  askedAs: 'start by hand, trigger for a booking',
  refuses: [conditionsDoNotHold, workflowIsNotActive, workflowIsNotManual],
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
  description: 'Archives a workflow permanently and cancels its runs in progress.',
  askedAs: 'delete, get rid of an automation',
  input: ThisWorkflow,
  carriesOut: () => [pauseWorkflow],
  output: one(WorkflowView),
});

export const revealWorkflowSecret = operation({
  name: 'revealWorkflowSecret',
  route: 'POST /workflows/{workflowId}/secret/reveal',
  scope: 'webhooks:manage',
  effect: 'read',
  reach: 'organization',
  title: 'Show the secret of a workflow',
  description:
    'Returns the secret that signs the webhook steps of a workflow, in the same way as deliveries to webhook endpoints.',
  input: ThisWorkflow,
  output: one(WorkflowSecret),
  showsSecret: 'secret',
});
