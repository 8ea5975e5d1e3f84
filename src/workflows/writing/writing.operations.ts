import { modelBacked } from '../../models/model-jobs.operations.js';
import { GenerateWorkflow, ModifyWorkflow } from './writing.dto.js';

/** The specification's names; saveWorkflow and updateWorkflow are given the steps. */
export const generateWorkflow = modelBacked({
  name: 'create_workflow',
  route: 'POST /workflows/generate',
  scope: 'workflows:write',
  reach: 'organization',
  title: 'Have a model write a workflow',
  description:
    'A model writes it from an instruction: the job yields the draft of a new workflow, with what it does in plain words, which does nothing before it is activated. Use saveWorkflow where the steps are given.',
  input: GenerateWorkflow,
});

export const modifyWorkflow = modelBacked({
  name: 'modify_workflow',
  route: 'POST /workflows/{workflowId}/modify',
  scope: 'workflows:write',
  reach: 'organization',
  title: 'Have a model change a workflow',
  description:
    'A model writes it from an instruction: the job yields a new version of the workflow and a diff; the active version goes on. Use updateWorkflow where the steps are given.',
  input: ModifyWorkflow,
});
