import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn, newId } from '#persistence';
import type { ExternalRef } from '../../tenancy/references/external-ref.dto.js';
import type { Money } from '#money';
import type { TaskType, TimeRule } from '../../tenancy/properties/work.dto.js';
import type { AttachmentView, StoredFile } from './attachments/attachment.dto.js';
import type { ChecklistItem, TaskPriority, TaskSource, TaskStatus, TaskView } from './task.dto.js';

@Entity('tasks')
export class Task implements TaskView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('task') }) id: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) description: string | null;
  @Column('text') type: TaskType;
  @Column('text') status: TaskStatus;
  @Column('text') priority: TaskPriority;
  @Column('uuid', { nullable: true, transformer: idColumn('property') }) propertyId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('unit') }) unitId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('reservation') }) reservationId: string | null;
  @Column('uuid', { array: true, transformer: idColumn('member') }) assigneeIds: string[];
  @Column('jsonb', { nullable: true }) timeRule: TimeRule | null;
  @Column('timestamptz', { nullable: true }) canStartAt: string | null;
  @Column('timestamptz', { nullable: true }) dueAt: string | null;
  @Column('integer', { nullable: true }) durationMinutes: number | null;
  @Column('jsonb') checklist: ChecklistItem[];
  @Column('jsonb') metadata: Record<string, string>;
  @Column('jsonb') externalRefs: ExternalRef[];
  @Column('text') source: TaskSource;
  @Column('jsonb', { nullable: true }) cost: Money | null;
  @Column('text', { nullable: true }) recurrence: string | null;
  /** When the first task of the series was for; and, on its latest task, when the next one is created. */
  @Column('timestamptz', { nullable: true }) seriesStart: string | null;
  @Column('timestamptz', { nullable: true }) nextOccurrenceAt: string | null;
  @Column('jsonb') files: StoredFile[];
  @Column('timestamptz', { nullable: true }) startedAt: string | null;
  @Column('timestamptz', { nullable: true }) completedAt: string | null;
  @Column('timestamptz', { nullable: true }) cancelledAt: string | null;
  /** Cancelled with its stay, with which it comes back. */
  @Column('boolean') calledOff: boolean;
  @Column('timestamptz', { nullable: true }) archivedAt: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;

  /** The files with links to them, which are created for each response. */
  attachments: AttachmentView[] = [];
}

/** A pending task with the given values and defaults. */
export function newTask(orgId: string, given: Partial<Task> & Pick<Task, 'name'>): Task {
  const now = new Date().toISOString();
  return Object.assign(new Task(), {
    description: null,
    type: 'other' as const,
    status: 'pending' as const,
    priority: 'normal' as const,
    propertyId: null,
    unitId: null,
    reservationId: null,
    assigneeIds: [],
    timeRule: null,
    canStartAt: null,
    dueAt: null,
    durationMinutes: null,
    checklist: [],
    cost: null,
    recurrence: null,
    seriesStart: null,
    nextOccurrenceAt: null,
    files: [],
    metadata: {},
    externalRefs: [],
    source: 'manual' as const,
    startedAt: null,
    completedAt: null,
    cancelledAt: null,
    calledOff: false,
    archivedAt: null,
    ...given,
    orgId,
    id: newId('task'),
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}
