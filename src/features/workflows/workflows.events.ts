import { event } from '../../platform/events/event-type.js';
import { WorkflowSummary } from './workflow.dto.js';

const workflow = { subject: 'workflow', scope: 'workflows:read' as const, data: WorkflowSummary };

export const workflowCreated = event('workflow.created', {
  ...workflow,
  tells: 'opening',
  says: 'A workflow was written.',
});
export const workflowUpdated = event('workflow.updated', {
  ...workflow,
  says: 'A workflow got another version or name.',
});
export const workflowActivated = event('workflow.activated', {
  ...workflow,
  says: 'A version of a workflow began to act.',
});
export const workflowPaused = event('workflow.paused', { ...workflow, says: 'A workflow stopped to act.' });
export const workflowArchived = event('workflow.archived', { ...workflow, says: 'A workflow was taken out of use.' });
