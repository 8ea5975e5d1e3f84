import { conflict, invalidField, notFound, recordNotFound, rejection, shaped } from '#errors';
import { ChecklistDetails, SeriesDetails } from './task-details.dto.js';
import type { ChecklistItem, TaskStatus } from './task.dto.js';

export const taskNotFound = recordNotFound('task', 'listTasks');

export const taskIsNotOpen = (status: TaskStatus) =>
  conflict('TASK_NOT_OPEN', `The task is ${status}; only a pending or started task can be completed.`);

export const checklistIncomplete = (open: ChecklistItem[]) =>
  conflict(
    'CHECKLIST_INCOMPLETE',
    'Required checklist items are not done. Mark them as done, then complete the task.',
    shaped(ChecklistDetails, { openItems: open.map(({ id, title }) => ({ id, title })) }),
  );

export const dueBeforeStart = rejection(
  'TASK_DUE_BEFORE_START',
  'The task would be due before it can start. Set dueAt to canStartAt or later, or move canStartAt.',
);

export const assigneeUnknown = rejection(
  'TASK_ASSIGNEE_UNKNOWN',
  'assigneeIds contains a member who is not active or does not exist. Pass ids of active members from listMembers.',
);

export const assigneeCannotSeeProperty = rejection(
  'TASK_ASSIGNEE_CANNOT_SEE_PROPERTY',
  'A member in assigneeIds cannot see the property of the task. Assign members who can.',
);

export const assigneesGoWithAssign = () =>
  invalidField(['assigneeIds'], 'The action assign needs assigneeIds, and other actions do not accept it.');

export const propertyMustBeNamed = () =>
  invalidField(['propertyId'], 'This credential is limited to some properties. Pass one of them as propertyId.');

export const cannotBegin = (status: TaskStatus) =>
  conflict('TASK_NOT_PENDING', `The task is ${status}; only a pending task can be started.`);

export const cannotCancelTask = (status: TaskStatus) =>
  conflict('TASK_NOT_OPEN', `The task is ${status}; only a pending or started task can be cancelled.`);

export const cannotReopen = (status: TaskStatus) =>
  conflict('TASK_NOT_COMPLETED', `The task is ${status}; only a completed task can be reopened.`);

export const taskIsArchived = () => conflict('TASK_ARCHIVED', 'The task is archived. Restore it first.');

export const ruleWithoutStay = rejection(
  'TASK_TIME_RULE_WITHOUT_STAY',
  'A timeRule needs a stay. Pass reservationId, or set canStartAt and dueAt instead.',
);

export const ruleBesideTimes = rejection(
  'TASK_TIME_RULE_BESIDE_TIMES',
  'The timeRule computes canStartAt and dueAt. Pass either the rule or the times.',
);

export const stayIsElsewhere = rejection(
  'TASK_STAY_IS_ELSEWHERE',
  'A task of a stay is at the place of the stay. Omit propertyId and unitId, or pass those of the stay.',
);

export const unitWithoutProperty = rejection(
  'TASK_UNIT_WITHOUT_PROPERTY',
  'A unit needs its property. Pass that property as propertyId.',
);

export const recurrenceUnreadable = rejection(
  'TASK_RECURRENCE_UNREADABLE',
  'The recurrence is not supported. Use an RFC 5545 rule that recurs at most daily and at least once (INTERVAL, COUNT, UNTIL, BYDAY, BYMONTH, BYMONTHDAY, BYSETPOS), such as FREQ=WEEKLY;BYDAY=MO.',
);

export const recurrenceTooOld = rejection(
  'TASK_RECURRENCE_TOO_OLD',
  'A recurring task cannot start more than a year ago. Set canStartAt or dueAt to a later time.',
);

export const recurrenceWithoutTime = rejection(
  'TASK_RECURRENCE_WITHOUT_TIME',
  'A recurring task needs a time and cannot belong to a stay. Set canStartAt or dueAt, and omit reservationId.',
);

const seriesTakePlaceThere =
  'Recurring tasks use this place. Set their recurrence to null, or move or archive them, then try again.';

export const unitHasSeries = (taskIds: string[]) =>
  conflict('UNIT_HAS_RECURRING_TASKS', seriesTakePlaceThere, shaped(SeriesDetails, { taskIds }));

export const propertyHasSeries = (taskIds: string[]) =>
  conflict('PROPERTY_HAS_RECURRING_TASKS', seriesTakePlaceThere, shaped(SeriesDetails, { taskIds }));

export const fileIsNotOfItsType = rejection(
  'ATTACHMENT_NOT_OF_ITS_TYPE',
  'The content does not match contentType. Pass the media type of the file; text must be UTF-8.',
);

export const tooManyFiles = () =>
  conflict('TOO_MANY_ATTACHMENTS', 'A task can have at most 20 files. Remove one with removeAttachment first.');

export const fileNotFound = () => notFound('file', "Pass a file id (file_…) from the task's attachments.");
export const stayNotFound = recordNotFound('reservation', 'listReservations');
