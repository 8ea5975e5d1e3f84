import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { CallerSnapshot } from '../../platform/callers/caller-snapshot.js';
import type { ModelJobError, ModelJobStatus, ModelJobUsage, ModelJobView } from './model-job.dto.js';

@Entity('model_jobs')
export class ModelJob implements ModelJobView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('job') }) id: string;
  @Column('text') operation: string;
  /**
   * Credentials that are limited to some properties see only jobs for those properties, or jobs that they requested.
   */
  @Column('uuid', { nullable: true, transformer: idColumn('property') }) propertyId: string | null;
  @Column('text') status: ModelJobStatus;
  @Column('uuid', { transformer: idColumn('member') }) requestedBy: string;
  /** The caller in whose name the draft is saved. */
  @Column('jsonb') caller: CallerSnapshot;
  @Column('jsonb') input: object;
  @Column('jsonb', { nullable: true }) result: Record<string, unknown> | null;
  @Column('jsonb', { nullable: true }) error: ModelJobError | null;
  @Column('jsonb') usage: ModelJobUsage;
  /** Also distinguishes attempts: the results of earlier ones are dropped. */
  @Column('integer') attempts: number;
  /** When the job starts, or counts as abandoned by the process that runs it; null once it has ended. */
  @Column('timestamptz', { nullable: true }) dueAt: string | null;
  @Column('timestamptz', { nullable: true }) startedAt: string | null;
  @Column('timestamptz', { nullable: true }) finishedAt: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
