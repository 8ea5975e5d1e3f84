import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone, setBackBy, undoneBy, type HowUndone } from '../../platform/events/undo.js';
import { WorkflowSummary } from './workflow.dto.js';

/** The version that was active before is activated again, or none if it was paused. */
const activeBefore: HowUndone = ({ before: { id, status, activeVersion } }) => {
  if (status === 'active')
    return { operation: 'activateWorkflow', input: { workflowId: id, workflowVersion: activeVersion } };
  if (status === 'paused') return { operation: 'pauseWorkflow', input: { workflowId: id } };
  return cannotBeUndone('It had never been active. Pause it with pauseWorkflow.');
};

const workflow = { subject: 'workflow', scope: 'workflows:read' as const, data: WorkflowSummary };

export const workflowCreated = event('workflow.created', {
  ...workflow,
  kind: 'opening',
  description: 'A workflow was created.',
  undo: undoneBy('archiveWorkflow', ({ id }) => ({ workflowId: id })),
});
export const workflowUpdated = event('workflow.updated', {
  ...workflow,
  description: 'A workflow was renamed or has a new version.',
  undo: (change) =>
    'latestVersion' in change.set
      ? cannotBeUndone('Versions are permanent. Write a new one with updateWorkflow.')
      : setBackBy('updateWorkflow', { workflowId: 'id' })(change),
});
export const workflowActivated = event('workflow.activated', {
  ...workflow,
  description: 'A version of a workflow was activated.',
  undo: activeBefore,
});
export const workflowPaused = event('workflow.paused', {
  ...workflow,
  description: 'A workflow was paused.',
  undo: undoneBy('activateWorkflow', ({ id, activeVersion }) => ({ workflowId: id, workflowVersion: activeVersion })),
});
export const workflowArchived = event('workflow.archived', {
  ...workflow,
  description: 'A workflow was archived.',
  undo: cannotBeUndone('An archived workflow cannot be restored.'),
});
