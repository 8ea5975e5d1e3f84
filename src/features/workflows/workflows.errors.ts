import { conflict, forbidden, invalidField, notFound, recordNotFound } from '#errors';
import type { WorkflowStatus } from './workflow.dto.js';

export const workflowNotFound = recordNotFound('workflow', 'listWorkflows');

export const versionNotFound = () =>
  notFound('version of the workflow', 'Pass one of the versions that getWorkflow lists.');

export const stayNotFound = recordNotFound('reservation', 'listReservations');

export const eventsAreNotYours = () =>
  forbidden('Testing a workflow reads past events and stays. This also requires events:read and reservations:read.');

export const nothingIsPermitted = () =>
  forbidden(
    'A workflow could not do anything with the permissions of this credential. Use a credential with more permissions.',
  );

export const scheduleTakesTooLong = () =>
  invalidField(['days'], 'Evaluating the schedule takes too long. Use fewer days or a simpler rule.');

export const workflowIsArchived = () =>
  conflict('WORKFLOW_ARCHIVED', 'The workflow is archived. Save a new one with saveWorkflow.');

export const workflowIsNotActive = (status: WorkflowStatus) =>
  conflict('WORKFLOW_NOT_ACTIVE', `The workflow is ${status}. Activate a version with activateWorkflow first.`);

export const workflowIsNotManual = () =>
  conflict(
    'WORKFLOW_NOT_MANUAL',
    'The workflow does not have a manual trigger, so runWorkflow cannot run it. Change its trigger with updateWorkflow.',
  );

export const workflowNamesAStay = (wanted: boolean) =>
  invalidField(
    ['reservationId'],
    wanted
      ? 'This workflow needs a stay. Pass its reservationId.'
      : 'This workflow does not use a stay. Omit reservationId.',
  );

export const conditionsDoNotHold = () =>
  conflict(
    'WORKFLOW_CONDITIONS_NOT_MET',
    'The workflow did not run, because this stay does not meet its conditions. Choose another stay, or change them with updateWorkflow.',
  );

export const workflowChangedMeanwhile = () =>
  conflict(
    'WORKFLOW_CHANGED_MEANWHILE',
    'The workflow was changed while the model worked, so nothing was saved. Send the request again.',
  );
