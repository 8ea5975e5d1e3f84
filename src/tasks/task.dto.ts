import { IntersectionType, PartialType } from '@nestjs/swagger';
import { Flag, Id, Int, ListOf, ListOfObjects, Metadata, ObjectOf, OneOf, Text, Timestamp } from '#operations';
import { ExternalRef } from '../organizations/external-ref.dto.js';
import { ChecklistEntry, type TaskType, taskTypes, TimeRule } from '../tenancy/properties/work.dto.js';
import { AttachmentView } from './attachments/attachment.dto.js';
import { Money } from '../organizations/money.dto.js';
import { PageOf } from '../../libs/operations/paging.js';

export const taskStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const taskPriorities = ['low', 'normal', 'high', 'urgent'] as const;
export type TaskPriority = (typeof taskPriorities)[number];

export const taskSources = ['manual', 'automatic'] as const;
export type TaskSource = (typeof taskSources)[number];

export class ChecklistItem {
  @Text({ about: 'The item.', max: 64 }) id: string;
  @Text({ about: 'What is to be done.', max: 200 }) title: string;
  @Flag({ about: 'Whether the task can only be completed with it.' }) required: boolean;
  @Flag({ about: 'Whether it is done.' }) done: boolean;
}

export class CreateTask {
  @Text({ about: 'What is to be done, in a few words.', max: 200, example: 'Change the linen' })
  name: string;

  @Text({ about: 'What is to be done, at length.', max: 10_000, optional: true, nullable: true })
  description?: string | null;

  @OneOf(taskTypes, { about: 'What kind of work it is; other when left out.', optional: true, example: 'cleaning' })
  type?: TaskType;

  @OneOf(taskPriorities, { about: 'How urgent it is; normal when left out.', optional: true })
  priority?: TaskPriority;

  @Id('property', { about: 'Where it is to be done.', optional: true, nullable: true })
  propertyId?: string | null;

  @Id('unit', { about: 'Which unit of the property.', optional: true, nullable: true })
  unitId?: string | null;

  @Id('reservation', {
    about: 'The stay that it belongs to; it is done where that stay is.',
    optional: true,
    nullable: true,
  })
  reservationId?: string | null;

  @ListOf({ id: 'member' }, { about: 'Who is to do it.', optional: true, max: 50 })
  assigneeIds?: string[];

  @ObjectOf(() => TimeRule, {
    about: 'When it is to be done in terms of the stay, instead of canStartAt and dueAt; it follows the stay.',
    optional: true,
    nullable: true,
  })
  timeRule?: TimeRule | null;

  @Timestamp({ about: 'From when it can be done.', optional: true, nullable: true })
  canStartAt?: string | null;

  @Timestamp({ about: 'By when it must be done; not before canStartAt.', optional: true, nullable: true })
  dueAt?: string | null;

  @Int({ about: 'How long the work takes.', optional: true, nullable: true, min: 1, max: 100_000 })
  durationMinutes?: number | null;

  @ObjectOf(() => Money, { about: 'What it costs.', optional: true, nullable: true })
  cost?: Money | null;

  @Text({
    about: 'How it recurs from canStartAt or dueAt on, an RFC 5545 rule such as FREQ=WEEKLY;BYDAY=MO; null ends it.',
    max: 500,
    optional: true,
    nullable: true,
  })
  recurrence?: string | null;

  @ListOfObjects(() => ChecklistEntry, {
    about: 'The steps; a list that is given replaces the one there.',
    optional: true,
    max: 200,
  })
  checklist?: ChecklistEntry[];

  @Metadata({ about: 'Your own keys and values.', optional: true })
  metadata?: Record<string, string>;

  @ListOfObjects(() => ExternalRef, { about: 'What other systems call it.', optional: true, max: 20 })
  externalRefs?: ExternalRef[];
}

export class ThisTask {
  @Id('task', { about: 'The task.' }) taskId: string;
}

export class UpdateTask extends IntersectionType(ThisTask, PartialType(CreateTask, { skipNullProperties: false })) {}

export class ListTasks extends PageOf(['createdAt', 'updatedAt', 'dueAt']) {
  @OneOf(taskStatuses, { about: 'Only tasks of this status.', optional: true })
  status?: TaskStatus;

  @OneOf(taskTypes, { about: 'Only tasks of this type.', optional: true })
  type?: TaskType;

  @OneOf(taskPriorities, { about: 'Only tasks of this priority.', optional: true })
  priority?: TaskPriority;

  @Id('property', { about: 'Only tasks at this property.', optional: true })
  propertyId?: string;

  @Id('reservation', { about: 'Only tasks of this stay.', optional: true })
  reservationId?: string;

  @Id('member', { about: 'Only tasks assigned to this member.', optional: true })
  assigneeId?: string;

  @Timestamp({ about: 'Only tasks due at this time or later.', optional: true })
  dueFrom?: string;

  @Timestamp({ about: 'Only tasks due before this time.', optional: true })
  dueBefore?: string;

  @Timestamp({ about: 'Only tasks that changed at this time or later, archived ones included.', optional: true })
  updatedSince?: string;

  @Flag({ about: 'Only archived tasks; only others when left out.', optional: true })
  archived?: boolean;
}

export class CountTasks {
  @Id('property', { about: 'Only tasks at this property.', optional: true })
  propertyId?: string;

  @Id('member', { about: 'Only tasks assigned to this member.', optional: true })
  assigneeId?: string;

  @OneOf(taskTypes, { about: 'Only tasks of this type.', optional: true })
  type?: TaskType;
}

const mostCounted = 1_001;

/** Tasks by status; a number of 1,001 says that there are more than a thousand. */
export class TaskCountsView {
  @Int({ about: 'Not begun.', min: 0, max: mostCounted }) pending: number;
  @Int({ about: 'Begun.', min: 0, max: mostCounted }) in_progress: number;
  @Int({ about: 'Done.', min: 0, max: mostCounted }) completed: number;
  @Int({ about: 'Called off.', min: 0, max: mostCounted }) cancelled: number;
}

export class AssignTask extends ThisTask {
  @ListOf({ id: 'member' }, { about: 'Who is to do it; nobody when the list is empty.', max: 50 })
  assigneeIds: string[];
}

export const bulkActions = ['start', 'complete', 'cancel', 'archive', 'assign'] as const;
export type BulkAction = (typeof bulkActions)[number];

export class ChangeTasksInBulk {
  @ListOf({ text: 100 }, { about: 'The tasks.', min: 1, max: 500 })
  taskIds: string[];

  @OneOf(bulkActions, { about: 'What is to become of each.' })
  action: BulkAction;

  @ListOf({ id: 'member' }, { about: 'Who is to do them; only with assign.', optional: true, max: 50 })
  assigneeIds?: string[];
}

export class TaskView {
  @Id('task', { about: 'The task.' }) id: string;
  @Text({ about: 'What is to be done, in a few words.', max: 200 }) name: string;
  @Text({ about: 'What is to be done, at length.', max: 10_000, nullable: true }) description: string | null;
  @OneOf(taskTypes, { about: 'What kind of work it is.' }) type: TaskType;
  @OneOf(taskStatuses, { about: 'Where the work stands.' }) status: TaskStatus;
  @OneOf(taskPriorities, { about: 'How urgent it is.' }) priority: TaskPriority;
  @Id('property', { about: 'Where it is to be done.', nullable: true }) propertyId: string | null;
  @Id('unit', { about: 'Which unit of the property.', nullable: true }) unitId: string | null;
  @Id('reservation', { about: 'The stay that it belongs to.', nullable: true }) reservationId: string | null;
  @ListOf({ id: 'member' }, { about: 'Who is to do it.', max: 50 }) assigneeIds: string[];
  @ObjectOf(() => TimeRule, { about: 'How it follows the stay.', nullable: true }) timeRule: TimeRule | null;
  @Timestamp({ about: 'From when it can be done.', nullable: true }) canStartAt: string | null;
  @Timestamp({ about: 'By when it must be done.', nullable: true }) dueAt: string | null;
  @Int({ about: 'How long the work takes.', nullable: true, min: 1, max: 100_000 }) durationMinutes: number | null;
  @ListOfObjects(() => ChecklistItem, { about: 'The steps.', max: 200 }) checklist: ChecklistItem[];
  @Metadata({ about: 'Your own keys and values.' }) metadata: Record<string, string>;
  @ListOfObjects(() => ExternalRef, { about: 'What other systems call it.', max: 20 }) externalRefs: ExternalRef[];
  @OneOf(taskSources, { about: 'Whether a person or program made it, or the service itself.' }) source: TaskSource;
  @ObjectOf(() => Money, { about: 'What it costs.', nullable: true }) cost: Money | null;
  @Text({ about: 'How it recurs (RFC 5545).', max: 500, nullable: true }) recurrence: string | null;
  @ListOfObjects(() => AttachmentView, { about: 'Files, with links that work for a few minutes.', max: 20 })
  attachments: AttachmentView[];
  @Timestamp({ about: 'When it was started.', nullable: true }) startedAt: string | null;
  @Timestamp({ about: 'When it was completed.', nullable: true }) completedAt: string | null;
  @Timestamp({ about: 'When it was cancelled.', nullable: true }) cancelledAt: string | null;
  @Timestamp({ about: 'When it was archived.', nullable: true }) archivedAt: string | null;
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was created.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}

export class BulkError {
  @Text({ about: 'The category.', max: 50 }) type: string;
  @Text({ about: 'What exactly, in UPPER_SNAKE_CASE.', max: 100 }) code: string;
  @Text({ about: 'A sentence about it.', max: 1_000 }) message: string;
}

export class BulkResult {
  @Text({ about: 'The task, as it was asked for.', max: 100 }) taskId: string;
  @ObjectOf(() => TaskView, { about: 'The task as it is now.', optional: true }) task?: TaskView;
  @ObjectOf(() => BulkError, { about: 'Why it was left as it is.', optional: true }) error?: BulkError;
}
