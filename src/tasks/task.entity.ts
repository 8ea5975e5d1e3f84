import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { ExternalRef } from '../organizations/external-ref.dto.js';
import type { TaskType } from '../organizations/work.dto.js';
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
  @Column('uuid', { array: true, transformer: idColumn('member') }) assigneeIds: string[];
  @Column('timestamptz', { nullable: true }) canStartAt: string | null;
  @Column('timestamptz', { nullable: true }) dueAt: string | null;
  @Column('integer', { nullable: true }) durationMinutes: number | null;
  @Column('jsonb') checklist: ChecklistItem[];
  @Column('jsonb') metadata: Record<string, string>;
  @Column('jsonb') externalRefs: ExternalRef[];
  @Column('text') source: TaskSource;
  @Column('timestamptz', { nullable: true }) completedAt: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
