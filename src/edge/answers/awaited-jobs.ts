import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { RequestContext } from '#context';
import type { Answer } from '#errors';
import type { Operation } from '#operations';
import { lookUntil } from '#turns';
import { Readiness } from '../../platform/health/readiness.js';
import type { ModelJob } from '../../outside/models/model-job.entity.js';
import { ModelJobsService } from '../../outside/models/model-jobs.service.js';
import { preferredWait } from '../input/prefer.js';
import { successAnswer } from './success-answer.js';

const lookEveryMs = 100;

/** Makes the response to a model-backed request wait for its job, if the request prefers that (RFC 7240, wait). */
@Injectable()
export class AwaitedJobs {
  constructor(
    private readonly jobs: ModelJobsService,
    private readonly readiness: Readiness,
  ) {}

  /**
   * The write is committed by now, and a replay waits like its original.
   *
   * @returns the finished job with 200, or the original 202 when the time is over.
   */
  async finished(context: RequestContext, operation: Operation, caller: Caller, answer: Answer): Promise<Answer> {
    const seconds = preferredWait(context.prefer);
    if (seconds === undefined || answer.status !== 202 || answer.code !== undefined) return answer;
    const { data, meta } = answer.value;
    const { id: jobId } = data as { id: string };
    let known = '';
    const look = async (): Promise<ModelJob> => {
      const job = await this.jobs.get(caller, { jobId });
      if (job.status !== known && job.status === 'running') context.client?.onProgress(0.5, job.status);
      known = job.status;
      return job;
    };
    const isOver = ({ finishedAt }: ModelJob): boolean => finishedAt !== null || this.readiness.draining;
    const job = await lookUntil(Date.now() + seconds * 1_000, lookEveryMs, look, isOver);
    if (job.finishedAt === null) return answer;
    const { Location: _, ...headers } = answer.headers;
    const done = successAnswer(operation, job, meta.requestId);
    return { ...done, headers: { ...headers, ...done.headers, 'Preference-Applied': `wait=${seconds}` } };
  }
}
