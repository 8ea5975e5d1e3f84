import {
  BulkError,
  Id,
  Int,
  IntersectionType,
  ListOf,
  ListOfObjects,
  Metadata,
  MetadataChange,
  ObjectOf,
  OneOf,
  PartialType,
  Text,
  Timestamp,
} from '#operations';
import { ExternalRefChange, mostReferences } from '../../tenancy/references/external-ref.dto.js';
import { ChecklistEntry, type TaskType, taskTypes, TimeRule } from '../../tenancy/properties/work.dto.js';
import { Money } from '#money';
import { taskPriorities, type TaskPriority, TaskView } from './task.dto.js';

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
    description: 'Recurrence from canStartAt or dueAt, an RFC 5545 rule such as FREQ=WEEKLY;BYDAY=MO; null ends it.',
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

  @ListOfObjects(() => ExternalRefChange, { description: 'Ids in other systems.', optional: true, max: mostReferences })
  externalRefs?: ExternalRefChange[];
}

export class ThisTask {
  @Id('task', { description: 'Task id (task_…), from listTasks.' }) taskId: string;
}

export class UpdateTask extends IntersectionType(ThisTask, PartialType(CreateTask)) {
  @MetadataChange({ description: 'Keys to set; null removes.', optional: true })
  override metadata?: Record<string, string>;
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

export class BulkResult {
  @Text({ description: 'Task id, as given in the request.', max: 100 }) taskId: string;
  @ObjectOf(() => TaskView, { description: 'The changed task.', optional: true }) task?: TaskView;
  @ObjectOf(() => BulkError, { description: 'Why the task was not changed.', optional: true }) error?: BulkError;
}
