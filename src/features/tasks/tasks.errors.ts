import { conflict, invalidField, notFound, rejection } from '#errors';
import type { Place } from '../../organizations/place-uses.js';
import type { ChecklistItem, TaskStatus } from '../../tasks/task.dto.js';

export const taskNotFound = () => notFound('task');

export const taskIsNotOpen = (status: TaskStatus) =>
  conflict('TASK_NOT_OPEN', `The task is ${status}; only a pending or started task can be completed.`);

export const checklistIncomplete = (open: ChecklistItem[]) =>
  conflict(
    'CHECKLIST_INCOMPLETE',
    'Required items of the checklist are open; mark them done, then complete the task.',
    {
      openItems: open.map(({ id, title }) => ({ id, title })),
    },
  );

export const dueBeforeStart = rejection(
  'TASK_DUE_BEFORE_START',
  'The task would be due before it can start. Set dueAt to canStartAt or later, or move canStartAt.',
);

export const assigneeUnknown = rejection(
  'TASK_ASSIGNEE_UNKNOWN',
  'Someone in assigneeIds is not an active member here. Take the ids of active members.',
);

export const assigneeCannotSeeProperty = rejection(
  'TASK_ASSIGNEE_CANNOT_SEE_PROPERTY',
  'Someone in assigneeIds is limited to other properties. Choose members who can see the property of the task.',
);

export const assigneesGoWithAssign = () =>
  invalidField(['assigneeIds'], 'Give assigneeIds with the action assign, and with no other.');

export const propertyMustBeNamed = () =>
  invalidField(['propertyId'], 'This credential is limited to some properties: name one of them.');

export const cannotBegin = (status: TaskStatus) =>
  conflict('TASK_NOT_PENDING', `The task is ${status}; only a pending task can be started.`);

export const cannotCancelTask = (status: TaskStatus) =>
  conflict('TASK_NOT_OPEN', `The task is ${status}; only a pending or started task can be cancelled.`);

export const cannotReopen = (status: TaskStatus) =>
  conflict('TASK_NOT_COMPLETED', `The task is ${status}; only a completed task can be reopened.`);

export const taskIsArchived = () => conflict('TASK_ARCHIVED', 'The task is archived. Restore it first.');

export const ruleWithoutStay = rejection(
  'TASK_TIME_RULE_WITHOUT_STAY',
  'A timeRule follows a stay. Name the stay in reservationId, or set canStartAt and dueAt instead.',
);

export const ruleBesideTimes = rejection(
  'TASK_TIME_RULE_BESIDE_TIMES',
  'The timeRule computes canStartAt and dueAt. Give either the rule or the times.',
);

export const stayIsElsewhere = rejection(
  'TASK_STAY_IS_ELSEWHERE',
  'The task is done where its stay is. Leave propertyId and unitId out, or give those of the stay.',
);

export const unitWithoutProperty = rejection(
  'TASK_UNIT_WITHOUT_PROPERTY',
  'A unit is part of a property. Name that property in propertyId.',
);

export const recurrenceUnreadable = rejection(
  'TASK_RECURRENCE_UNREADABLE',
  'The recurrence is no RFC 5545 rule that tasks can recur by: daily or more rarely, with INTERVAL, COUNT, UNTIL, BYDAY, BYMONTH, BYMONTHDAY and BYSETPOS, and sure to come. Write one such as FREQ=WEEKLY;BYDAY=MO.',
);

export const recurrenceTooOld = rejection(
  'TASK_RECURRENCE_TOO_OLD',
  'A recurring task begins a year ago at the earliest. Set canStartAt or dueAt to a later time.',
);

export const recurrenceWithoutTime = rejection(
  'TASK_RECURRENCE_WITHOUT_TIME',
  'A recurring task needs a time to recur from and no stay. Set canStartAt or dueAt, and leave reservationId out.',
);

export const placeHasSeries = ({ unitId }: Place, taskIds: string[]) =>
  conflict(
    unitId ? 'UNIT_HAS_RECURRING_TASKS' : 'PROPERTY_HAS_RECURRING_TASKS',
    'Tasks recur there. Set their recurrence to null, or move or archive them, then archive it.',
    { taskIds },
  );

export const fileIsNotOfItsType = rejection(
  'ATTACHMENT_NOT_OF_ITS_TYPE',
  'The content is not a file of the given contentType. Send the type that it is.',
);

export const tooManyFiles = () => conflict('TOO_MANY_ATTACHMENTS', 'A task holds 20 files at most.');

export const fileNotFound = () => notFound('file');
export const stayNotFound = () => notFound('reservation');
