import { Flag, Id, Int, ListOf, ListOfObjects, Metadata, ObjectOf, OneOf, Text, Timestamp } from '#operations';
import { ExternalRef } from '../../tenancy/references/external-ref.dto.js';
import {
  type CheckResult,
  checkResults,
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
