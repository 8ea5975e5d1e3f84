import { versionMismatch } from '#access';
import { modelBacked } from '../../../outside/models/model-jobs.operations.js';
import { GenerateWorkflow, ModifyWorkflow } from './writing.dto.js';
import { workflowIsArchived } from '../workflows.errors.js';
import { saveWorkflow, updateWorkflow } from '../workflows.operations.js';

/** The specification's names; saveWorkflow and updateWorkflow are given the steps. */
export const generateWorkflow = modelBacked({
  name: 'create_workflow',
  route: 'POST /workflows/generate',
  scope: 'workflows:write',
  reach: 'organization',
  title: 'Have a model write a workflow',
  description:
    'A model writes a workflow from an instruction. The job creates the draft of a new workflow with a description in plain words; activateWorkflow activates it. Use saveWorkflow if you have the steps.',
  askedAs: 'AI drafts an automation, something that happens before every arrival',
  everyday: true,
  input: GenerateWorkflow,
  carriesOut: () => [saveWorkflow],
});

export const modifyWorkflow = modelBacked({
  name: 'modify_workflow',
  route: 'POST /workflows/{workflowId}/modify',
  scope: 'workflows:write',
  reach: 'organization',
  title: 'Have a model change a workflow',
  description:
    'A model changes a workflow according to an instruction. The job creates a new version and a diff; the active version does not change. Use updateWorkflow if you have the steps.',
  askedAs: 'AI changes an automation',
  everyday: true,
  refuses: [workflowIsArchived, versionMismatch],
  input: ModifyWorkflow,
  carriesOut: () => [updateWorkflow],
});
