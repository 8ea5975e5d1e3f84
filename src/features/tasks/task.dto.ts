import {
  BulkError,
  Flag,
  Id,
  Int,
  IntersectionType,
  ListOf,
  ListOfObjects,
  Metadata,
  MetadataChange,
  ObjectOf,
  OneOf,
  PageOf,
  PartialType,
  Text,
  Timestamp,
} from '#operations';
import { ExternalRef } from '../../outside/connections/external-ref.dto.js';
import {
  type CheckResult,
  checkResults,
  ChecklistEntry,
  type TaskType,
  taskTypes,
  TimeRule,
} from '../../tenancy/properties/work.dto.js';
import { AttachmentView } from './attachments/attachment.dto.js';
import { Money } from '#money';

export const taskStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const taskPriorities = ['low', 'normal', 'high', 'urgent'] as const;
export type TaskPriority = (typeof taskPriorities)[number];

export const taskSources = ['manual', 'automatic'] as const;
export type TaskSource = (typeof taskSources)[number];

export class ChecklistItem {
  @Text({ description: 'Checklist item id, unique within the task.', max: 64 }) id: string;
  @Text({ description: 'What to do.', max: 200 }) title: string;
  @Flag({ description: 'Whether the item must be done before the task can be completed.' }) required: boolean;
  @Flag({ description: 'Whether the item is done.' }) done: boolean;
  @OneOf(checkResults, { description: 'Result of the check, for inspections.', nullable: true })
  result: CheckResult | null;
}

export class CreateTask {
  @Text({ description: 'Short name of the task.', max: 200, example: 'Change the linen' })
  name: string;

  @Text({ description: 'Full description of the work.', max: 10_000, optional: true, nullable: true })
  description?: string | null;

  @OneOf(taskTypes, {
    description: 'Kind of work; default: other.',
    optional: true,
    example: 'cleaning',
  })
  type?: TaskType;

  @OneOf(taskPriorities, { description: 'Priority; default: normal.', optional: true })
  priority?: TaskPriority;

  @Id('property', {
    description:
      'Property where the work is done (property_…), from listProperties; null or omitted for the whole organization.',
    optional: true,
    nullable: true,
  })
  propertyId?: string | null;

  @Id('unit', { description: 'Unit of that property (unit_…), from listUnits.', optional: true, nullable: true })
  unitId?: string | null;

  @Id('reservation', {
    description:
      'Stay that the task belongs to (reservation_…), from listReservations; sets the property and unit of the task.',
    optional: true,
    nullable: true,
  })
  reservationId?: string | null;

  @ListOf({ id: 'member' }, { description: 'Assignees (member_…), from listMembers.', optional: true, max: 50 })
  assigneeIds?: string[];

  @ObjectOf(() => TimeRule, {
    description: 'When to do the work relative to the stay, instead of canStartAt and dueAt; it moves with the stay.',
    optional: true,
    nullable: true,
  })
  timeRule?: TimeRule | null;

  @Timestamp({ description: 'Earliest time at which the work can start.', optional: true, nullable: true })
  canStartAt?: string | null;

  @Timestamp({ description: 'Due time; not before canStartAt.', optional: true, nullable: true })
  dueAt?: string | null;

  @Int({ description: 'Duration of the work in minutes.', optional: true, nullable: true, min: 1, max: 100_000 })
  durationMinutes?: number | null;

  @ObjectOf(() => Money, { description: 'Cost of the work.', optional: true, nullable: true })
  cost?: Money | null;

  @Text({
    description: 'Recurrence from canStartAt or dueAt on, an RFC 5545 rule such as FREQ=WEEKLY;BYDAY=MO; null ends it.',
    max: 500,
    optional: true,
    nullable: true,
  })
  recurrence?: string | null;

  @ListOfObjects(() => ChecklistEntry, {
    description: 'Checklist, in order; replaces the existing list.',
    optional: true,
    max: 200,
  })
  checklist?: ChecklistEntry[];

  @Metadata({ description: 'Your own keys and values.', optional: true })
  metadata?: Record<string, string>;

  @ListOfObjects(() => ExternalRef, { description: 'Ids of the task in other systems.', optional: true, max: 20 })
  externalRefs?: ExternalRef[];
}

export class ThisTask {
  @Id('task', { description: 'Task id (task_…), from listTasks.' }) taskId: string;
}

export class UpdateTask extends IntersectionType(ThisTask, PartialType(CreateTask)) {
  @MetadataChange({ description: 'Keys to set; null removes.', optional: true })
  override metadata?: Record<string, string>;
}

export class ListTasks extends PageOf(['createdAt', 'updatedAt', 'dueAt']) {
  @OneOf(taskStatuses, { description: 'Only tasks with this status.', optional: true })
  status?: TaskStatus;

  @OneOf(taskTypes, { description: 'Only tasks of this type.', optional: true })
  type?: TaskType;

  @ListOf(
    { oneOf: taskStatuses },
    { description: 'Only tasks with one of these statuses.', optional: true, min: 1, max: 4 },
  )
  statuses?: TaskStatus[];

  @ListOf({ oneOf: taskTypes }, { description: 'Only tasks of one of these types.', optional: true, min: 1, max: 9 })
  types?: TaskType[];

  @Flag({
    description: 'true: only pending and started tasks; false: only completed and cancelled tasks.',
    optional: true,
  })
  open?: boolean;

  @Flag({
    description: 'true: only pending and started tasks whose due time has passed; false: only other tasks.',
    optional: true,
  })
  overdue?: boolean;

  @Text({ description: 'Only tasks whose name contains this text.', min: 3, max: 100, optional: true }) q?: string;

  @OneOf(taskPriorities, { description: 'Only tasks with this priority.', optional: true })
  priority?: TaskPriority;

  @Id('property', { description: 'Only tasks at this property (property_…), from listProperties.', optional: true })
  propertyId?: string;

  @Id('unit', { description: 'Only tasks in this unit (unit_…), from listUnits.', optional: true }) unitId?: string;

  @Id('reservation', { description: 'Only tasks of this stay (reservation_…), from listReservations.', optional: true })
  reservationId?: string;

  @Id('member', { description: 'Only tasks assigned to this member (member_…), from listMembers.', optional: true })
  assigneeId?: string;

  @Timestamp({ description: 'Only tasks due at or after this time.', optional: true })
  dueFrom?: string;

  @Timestamp({ description: 'Only tasks due before this time.', optional: true })
  dueBefore?: string;

  @Timestamp({ description: 'Only tasks changed at or after this time, including archived ones.', optional: true })
  updatedSince?: string;

  @Flag({
    description: 'true: only archived tasks; default: only others.',
    optional: true,
  })
  archived?: boolean;
}

export class CountTasks {
  @Id('property', { description: 'Only tasks at this property (property_…), from listProperties.', optional: true })
  propertyId?: string;

  @Id('member', { description: 'Only tasks assigned to this member (member_…), from listMembers.', optional: true })
  assigneeId?: string;

  @OneOf(taskTypes, { description: 'Only tasks of this type.', optional: true })
  type?: TaskType;
}

const mostCounted = 1_001;

/** Tasks by status; a number of 1,001 says that there are more than a thousand. */
export class TaskCountsView {
  @Int({ description: 'Tasks that are not started.', min: 0, max: mostCounted }) pending: number;
  @Int({ description: 'Started tasks.', min: 0, max: mostCounted }) in_progress: number;
  @Int({ description: 'Completed tasks.', min: 0, max: mostCounted }) completed: number;
  @Int({ description: 'Cancelled tasks.', min: 0, max: mostCounted }) cancelled: number;
}

export class AssignTask extends ThisTask {
  @ListOf(
    { id: 'member' },
    { description: 'Assignees (member_…), from listMembers; an empty list removes all.', max: 50 },
  )
  assigneeIds: string[];
}

export const bulkActions = ['start', 'complete', 'cancel', 'archive', 'assign'] as const;
export type BulkAction = (typeof bulkActions)[number];

export class ChangeTasksInBulk {
  @ListOf({ text: 100 }, { description: 'Task ids (task_…), from listTasks.', min: 1, max: 500 })
  taskIds: string[];

  @OneOf(bulkActions, { description: 'What to do with each task.' })
  action: BulkAction;

  @ListOf(
    { id: 'member' },
    {
      description: 'Assignees (member_…), from listMembers; required with assign, not allowed otherwise.',
      optional: true,
      max: 50,
    },
  )
  assigneeIds?: string[];
}

export class TaskView {
  @Id('task', { description: 'Task id (task_…).' }) id: string;
  @Text({ description: 'Short name of the task.', max: 200 }) name: string;
  @Text({ description: 'Full description of the work.', max: 10_000, nullable: true }) description: string | null;
  @OneOf(taskTypes, { description: 'Kind of work.' }) type: TaskType;
  @OneOf(taskStatuses, { description: 'Status of the task.' }) status: TaskStatus;
  @OneOf(taskPriorities, { description: 'Priority of the task.' }) priority: TaskPriority;
  @Id('property', {
    description: 'Property where the work is done (property_…); null for the whole organization.',
    nullable: true,
  })
  propertyId: string | null;
  @Id('unit', { description: 'Unit of that property (unit_…).', nullable: true }) unitId: string | null;
  @Id('reservation', { description: 'Stay that the task belongs to (reservation_…).', nullable: true }) reservationId:
    | string
    | null;
  @ListOf({ id: 'member' }, { description: 'Assignees (member_…).', max: 50 }) assigneeIds: string[];
  @ObjectOf(() => TimeRule, { description: 'When to do the work relative to the stay.', nullable: true })
  timeRule: TimeRule | null;
  @Timestamp({ description: 'Earliest time at which the work can start.', nullable: true }) canStartAt: string | null;
  @Timestamp({ description: 'Due time.', nullable: true }) dueAt: string | null;
  @Int({ description: 'Duration of the work in minutes.', nullable: true, min: 1, max: 100_000 }) durationMinutes:
    | number
    | null;
  @ListOfObjects(() => ChecklistItem, { description: 'Checklist, in order.', max: 200 }) checklist: ChecklistItem[];
  @Metadata({ description: 'Your own keys and values.' }) metadata: Record<string, string>;
  @ListOfObjects(() => ExternalRef, { description: 'Ids of the task in other systems.', max: 20 })
  externalRefs: ExternalRef[];
  @OneOf(taskSources, { description: 'manual: created by a person or program. automatic: created by the service.' })
  source: TaskSource;
  @ObjectOf(() => Money, { description: 'Cost of the work.', nullable: true }) cost: Money | null;
  @Text({ description: 'Recurrence as an RFC 5545 rule.', max: 500, nullable: true }) recurrence: string | null;
  @ListOfObjects(() => AttachmentView, {
    description: 'Attached files, with download links that are valid for ten minutes.',
    max: 20,
  })
  attachments: AttachmentView[];
  @Timestamp({ description: 'When the task was started.', nullable: true }) startedAt: string | null;
  @Timestamp({ description: 'When the task was completed.', nullable: true }) completedAt: string | null;
  @Timestamp({ description: 'When the task was cancelled.', nullable: true }) cancelledAt: string | null;
  @Timestamp({ description: 'When the task was archived.', nullable: true }) archivedAt: string | null;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the task was created.' }) createdAt: string;
  @Timestamp({ description: 'When the task was last changed.' }) updatedAt: string;
}

export class BulkResult {
  @Text({ description: 'Task id, as given in the request.', max: 100 }) taskId: string;
  @ObjectOf(() => TaskView, { description: 'The changed task.', optional: true }) task?: TaskView;
  @ObjectOf(() => BulkError, { description: 'Why the task was not changed.', optional: true }) error?: BulkError;
}
