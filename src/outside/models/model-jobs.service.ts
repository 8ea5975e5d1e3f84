import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion, may } from '#access';
import type { Page } from '#operations';
import { newId, TenantDatabase } from '#persistence';
import { EventsService } from '../../platform/events/events.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { callerFrom, snapshotOf } from '../../platform/callers/caller-snapshot.js';
import { type JobKind, ModelJobKinds } from './job-kind.js';
import { LanguageModel } from './language-model.js';
import type { ListModelJobs, ThisModelJob } from './model-job.dto.js';
import { ModelJob } from './model-job.entity.js';
import { ModelJobsRepository } from './model-jobs.repository.js';
import { modelJobHasEnded, modelJobNotFound, noModelConfigured } from './models.errors.js';
import { modelJobCancelled, modelJobCreated } from './models.events.js';

@Injectable()
export class ModelJobsService {
  constructor(
    private readonly jobs: ModelJobsRepository,
    private readonly properties: PropertiesService,
    private readonly kinds: ModelJobKinds,
    private readonly model: LanguageModel,
    private readonly events: EventsService,
    private readonly database: TenantDatabase,
  ) {}

  /**
   * Queues work for the model. The job is committed with the request and starts immediately afterwards.
   *
   * @param propertyId the property that the work is for, if any.
   * @throws internal_error NON_RETRYABLE if no model is configured.
   */
  async request<Input extends object, Draft>(
    caller: Caller,
    kind: JobKind<Input, Draft>,
    input: Input,
    propertyId: string | null = null,
  ): Promise<ModelJob> {
    if (!this.model.isConfigured) throw noModelConfigured();
    const now = new Date().toISOString();
    const job = await this.jobs.insert(
      Object.assign(new ModelJob(), {
        orgId: caller.orgId,
        id: newId('job'),
        operation: kind.operation.name,
        propertyId,
        status: 'queued' as const,
        requestedBy: caller.memberId,
        caller: snapshotOf(caller),
        input,
        result: null,
        error: null,
        usage: {},
        attempts: 0,
        dueAt: now,
        startedAt: null,
        finishedAt: null,
        version: 1,
        createdAt: now,
        updatedAt: now,
      }),
    );
    this.events.record(caller, modelJobCreated, job);
    return job;
  }

  async list(caller: Caller, input: ListModelJobs): Promise<Page<ModelJob>> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    return await this.jobs.list(caller, this.visibleTo(caller), input);
  }

  async get(caller: Caller, { jobId }: ThisModelJob): Promise<ModelJob> {
    const job = await this.jobs.find(caller, this.visibleTo(caller), jobId);
    if (!job) throw modelJobNotFound();
    return job;
  }

  /** Waits for a job that is being saved, which can then no longer be cancelled. */
  async cancel(caller: Caller, { jobId }: ThisModelJob): Promise<ModelJob> {
    const job = await this.jobs.find(caller, this.visibleTo(caller), jobId, 'for no key update');
    if (!job) throw modelJobNotFound();
    expectVersion(caller, job);
    if (job.status === 'cancelled') return job;
    if (job.finishedAt !== null) throw modelJobHasEnded(job.status);
    await this.kinds.find(job.operation)?.abandon?.(callerFrom(job.orgId, job.caller), job.input, null);
    const before = await this.jobs.update(job, {
      status: 'cancelled',
      dueAt: null,
      finishedAt: new Date().toISOString(),
    });
    this.events.record(caller, modelJobCancelled, job, before);
    this.database.afterCommit(() => this.jobs.claims.abort(jobId));
    return job;
  }

  /** A job is visible to callers who may request its kind, so the scope is that of its operation. */
  private visibleTo(caller: Caller): string[] {
    return this.kinds
      .all()
      .filter(({ operation: { scope } }) => !scope || may(caller, scope))
      .map(({ operation }) => operation.name);
  }
}
