import { IntersectionType, PartialType } from '@nestjs/swagger';
import { Flag, Id, Int, ListOf, ListOfObjects, Metadata, OneOf, Text, Timestamp } from '#operations';
import { PageOf } from '../paging.js';

export const taskTypes = [
  'cleaning',
  'maintenance',
  'inspection',
  'check_in',
  'check_out',
  'issue',
  'inventory',
  'administration',
  'other',
] as const;
export type TaskType = (typeof taskTypes)[number];

export const taskStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const taskPriorities = ['low', 'normal', 'high', 'urgent'] as const;
export type TaskPriority = (typeof taskPriorities)[number];

export const taskSources = ['manual', 'automatic'] as const;
export type TaskSource = (typeof taskSources)[number];

/** A step of a task as a client writes it; an item without an id is new. */
export class ChecklistEntry {
  @Text({ about: 'The item, when it is there already; left out for a new one.', max: 64, optional: true })
  id?: string;

  @Text({ about: 'What is to be done.', max: 200 })
  title: string;

  @Flag({ about: 'Whether the task can only be completed with it; false when left out.', optional: true })
  required?: boolean;

  @Flag({ about: 'Whether it is done; false when left out.', optional: true })
  done?: boolean;
}

export class ChecklistItem {
  @Text({ about: 'The item.', max: 64 }) id: string;
  @Text({ about: 'What is to be done.', max: 200 }) title: string;
  @Flag({ about: 'Whether the task can only be completed with it.' }) required: boolean;
  @Flag({ about: 'Whether it is done.' }) done: boolean;
}

export class ExternalRef {
  @Text({ about: 'The system that knows the record.', max: 100 }) connectionId: string;
  @Text({ about: 'Its id there.', max: 200 }) externalId: string;
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

  @ListOf({ id: 'member' }, { about: 'Who is to do it.', optional: true, max: 50 })
  assigneeIds?: string[];

  @Timestamp({ about: 'From when it can be done.', optional: true, nullable: true })
  canStartAt?: string | null;

  @Timestamp({ about: 'By when it must be done; not before canStartAt.', optional: true, nullable: true })
  dueAt?: string | null;

  @Int({ about: 'How long the work takes.', optional: true, nullable: true, min: 1, max: 100_000 })
  durationMinutes?: number | null;

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

  @Id('member', { about: 'Only tasks assigned to this member.', optional: true })
  assigneeId?: string;

  @Timestamp({ about: 'Only tasks due at this time or later.', optional: true })
  dueFrom?: string;

  @Timestamp({ about: 'Only tasks due before this time.', optional: true })
  dueBefore?: string;

  @Timestamp({ about: 'Only tasks that changed at this time or later.', optional: true })
  updatedSince?: string;
}

export class TaskView {
  @Id('task', { about: 'The task.' }) id: string;
  @Text({ about: 'What is to be done, in a few words.', max: 200 }) name: string;
  @Text({ about: 'What is to be done, at length.', max: 10_000, nullable: true }) description: string | null;
  @OneOf(taskTypes, { about: 'What kind of work it is.' }) type: TaskType;
  @OneOf(taskStatuses, { about: 'Where the work stands.' }) status: TaskStatus;
  @OneOf(taskPriorities, { about: 'How urgent it is.' }) priority: TaskPriority;
  @Id('property', { about: 'Where it is to be done.', nullable: true }) propertyId: string | null;
  @ListOf({ id: 'member' }, { about: 'Who is to do it.', max: 50 }) assigneeIds: string[];
  @Timestamp({ about: 'From when it can be done.', nullable: true }) canStartAt: string | null;
  @Timestamp({ about: 'By when it must be done.', nullable: true }) dueAt: string | null;
  @Int({ about: 'How long the work takes.', nullable: true, min: 1, max: 100_000 }) durationMinutes: number | null;
  @ListOfObjects(() => ChecklistItem, { about: 'The steps.', max: 200 }) checklist: ChecklistItem[];
  @Metadata({ about: 'Your own keys and values.' }) metadata: Record<string, string>;
  @ListOfObjects(() => ExternalRef, { about: 'What other systems call it.', max: 20 }) externalRefs: ExternalRef[];
  @OneOf(taskSources, { about: 'Whether a person or program made it, or the service itself.' }) source: TaskSource;
  @Timestamp({ about: 'When it was completed.', nullable: true }) completedAt: string | null;
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was created.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
