import { conflict, invalidField, notFound, rejection } from '#errors';
import type { ChecklistItem, TaskStatus } from './task.dto.js';

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

export const propertyMustBeNamed = () =>
  invalidField(['propertyId'], 'This credential is limited to some properties: name one of them.');
