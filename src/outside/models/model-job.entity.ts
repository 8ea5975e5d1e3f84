import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { CallerSnapshot } from './caller-snapshot.js';
import type { ModelJobError, ModelJobStatus, ModelJobUsage, ModelJobView } from '../../models/model-job.dto.js';

@Entity('model_jobs')
export class ModelJob implements ModelJobView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('job') }) id: string;
  @Column('text') operation: string;
  /** Credentials that are limited to some properties see only what is for one of theirs, or what they asked for. */
  @Column('uuid', { nullable: true, transformer: idColumn('property') }) propertyId: string | null;
  @Column('text') status: ModelJobStatus;
  @Column('uuid', { transformer: idColumn('member') }) requestedBy: string;
  /** In whose name the draft is saved. */
  @Column('jsonb') caller: CallerSnapshot;
  @Column('jsonb') input: object;
  @Column('jsonb', { nullable: true }) result: Record<string, unknown> | null;
  @Column('jsonb', { nullable: true }) error: ModelJobError | null;
  @Column('jsonb') usage: ModelJobUsage;
  /** Also tells one attempt from another: what an earlier one still brings is dropped. */
  @Column('integer') attempts: number;
  /** When it is to be begun, or taken to be abandoned by the process that runs it; null once it has ended. */
  @Column('timestamptz', { nullable: true }) dueAt: string | null;
  @Column('timestamptz', { nullable: true }) startedAt: string | null;
  @Column('timestamptz', { nullable: true }) finishedAt: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
