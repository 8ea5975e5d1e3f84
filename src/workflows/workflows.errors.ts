import { conflict, forbidden, invalidField, notFound } from '#errors';
import type { WorkflowStatus } from '../features/workflows/workflow.dto.js';

export const workflowNotFound = () => notFound('workflow');

export const versionNotFound = () => notFound('version of the workflow');

export const stayNotFound = () => notFound('reservation');

export const eventsAreNotYours = () =>
  forbidden('A workflow is tried on past events and stays; this needs events:read and reservations:read as well.');

export const nothingIsPermitted = () =>
  forbidden('This credential may do nothing that a workflow could do for it. Use one with more permissions.');

export const workflowIsArchived = () => conflict('WORKFLOW_ARCHIVED', 'The workflow is archived; make a new one.');

export const workflowIsNotActive = (status: WorkflowStatus) =>
  conflict('WORKFLOW_NOT_ACTIVE', `The workflow is ${status}; activate a version of it first.`);

export const workflowIsNotManual = () =>
  conflict('WORKFLOW_NOT_MANUAL', 'Something else has this workflow run; only one whose trigger is manual is run so.');

export const workflowNamesAStay = (wanted: boolean) =>
  invalidField(
    ['reservationId'],
    wanted ? 'Name the stay that the run is about.' : 'The runs of this workflow are about no stay; leave it out.',
  );

export const conditionsDoNotHold = () =>
  conflict(
    'WORKFLOW_CONDITIONS_NOT_MET',
    'The conditions of the workflow do not hold for this stay, so it was not run.',
  );

export const workflowChangedMeanwhile = () =>
  conflict(
    'WORKFLOW_CHANGED_MEANWHILE',
    'The workflow was changed while the model wrote. Ask again for a change of it.',
  );
