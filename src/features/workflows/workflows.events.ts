import { event } from '../../platform/events/event-type.js';
import { WorkflowSummary } from './workflow.dto.js';

const workflow = { subject: 'workflow', scope: 'workflows:read' as const, data: WorkflowSummary };

export const workflowCreated = event('workflow.created', {
  ...workflow,
  kind: 'opening',
  description: 'A workflow was created.',
});
export const workflowUpdated = event('workflow.updated', {
  ...workflow,
  description: 'A workflow was renamed or has a new version.',
});
export const workflowActivated = event('workflow.activated', {
  ...workflow,
  description: 'A version of a workflow was activated.',
});
export const workflowPaused = event('workflow.paused', { ...workflow, description: 'A workflow was paused.' });
export const workflowArchived = event('workflow.archived', {
  ...workflow,
  description: 'A workflow was archived.',
});
