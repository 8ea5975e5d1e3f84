import { Decimal, Id, Int, ObjectOf, OneOf, OpenObject, PageOfTimes, Text, Timestamp } from '#operations';

export const modelJobStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type ModelJobStatus = (typeof modelJobStatuses)[number];

export class ThisModelJob {
  @Id('job', { description: 'Job id (job_…), from listModelJobs.' }) jobId: string;
}

export class ListModelJobs extends PageOfTimes(['createdAt']) {
  @Text({ description: 'Only jobs of this operation.', max: 100, optional: true }) operation?: string;
  @OneOf(modelJobStatuses, { description: 'Only jobs with this status.', optional: true }) status?: ModelJobStatus;
  @Id('property', { description: 'Only jobs at this property (property_…), from listProperties.', optional: true })
  propertyId?: string;
}

const most = 2_147_483_647;

export class ModelJobError {
  @Text({ description: 'Error category, as in the error envelope.', max: 100 }) code: string;
  @Text({ description: 'What is wrong and what to do about it.', max: 1_000 }) message: string;
  @OpenObject({ description: 'Details of the error; issues lists the problems of the draft.' }) details: Record<
    string,
    unknown
  >;
}

export class ModelJobUsage {
  @Text({ description: 'Model name.', max: 200, optional: true }) model?: string;
  @Decimal({ description: 'Sampling temperature.', optional: true, nullable: true, min: 0, max: 2 })
  temperature?: number | null;
  @Int({ description: 'Number of requests to the model.', optional: true, min: 0, max: most }) calls?: number;
  @Int({ description: 'Input tokens.', optional: true, min: 0, max: most }) inputTokens?: number;
  @Int({ description: 'Output tokens.', optional: true, min: 0, max: most }) outputTokens?: number;
}

export class ModelJobView {
  @Id('job', { description: 'Job id (job_…).' }) id: string;
  @Text({ description: 'Operation that requested the job.', max: 100 }) operation: string;
  @Id('property', { description: 'Property of the job (property_…), if it has one.', nullable: true })
  propertyId: string | null;
  @Id('member', { description: 'Member who requested the job (member_…).' }) requestedBy: string;
  @OneOf(modelJobStatuses, { description: 'Status of the job.' }) status: ModelJobStatus;
  @OpenObject({
    description: 'Result of the job: a draft or a new version, with its diff and warnings.',
    nullable: true,
  })
  result: Record<string, unknown> | null;
  @ObjectOf(() => ModelJobError, { description: 'Why the job failed.', nullable: true })
  error: ModelJobError | null;
  @ObjectOf(() => ModelJobUsage, { description: 'Model and number of tokens.' }) usage: ModelJobUsage;
  @Int({ description: 'Number of times that the job was started.', min: 0, max: most }) attempts: number;
  @Timestamp({ description: 'When the job was first started.', nullable: true }) startedAt: string | null;
  @Timestamp({ description: 'When the job ended.', nullable: true }) finishedAt: string | null;
  @Int({ description: 'Version, increased by every change.', min: 1, max: most }) version: number;
  @Timestamp({ description: 'When the job was requested.' }) createdAt: string;
  @Timestamp({ description: 'When the job was last changed.' }) updatedAt: string;
}
