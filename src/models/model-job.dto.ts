import { Decimal, Id, Int, ObjectOf, OneOf, OpenObject, Text, Timestamp } from '#operations';
import { PageOf } from '../../libs/operations/paging.js';

export const modelJobStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type ModelJobStatus = (typeof modelJobStatuses)[number];

export class ThisModelJob {
  @Id('job', { about: 'The job.' }) jobId: string;
}

export class ListModelJobs extends PageOf(['createdAt']) {
  @Text({ about: 'Only of this operation.', max: 100, optional: true }) operation?: string;
  @OneOf(modelJobStatuses, { about: 'Only of this status.', optional: true }) status?: ModelJobStatus;
  @Id('property', { about: 'Only those at this property.', optional: true }) propertyId?: string;
}

const most = 2_147_483_647;

export class ModelJobError {
  @Text({ about: 'What kind of failure, as in the error envelope.', max: 100 }) code: string;
  @Text({ about: 'What went wrong and what to do about it.', max: 1_000 }) message: string;
  @OpenObject({ about: 'More about it; issues name what was wrong with the draft.' }) details: Record<string, unknown>;
}

export class ModelJobUsage {
  @Text({ about: 'The model.', max: 200, optional: true }) model?: string;
  @Decimal({ about: 'How freely it chose its words.', optional: true, nullable: true, min: 0, max: 2 })
  temperature?: number | null;
  @Int({ about: 'How often it was asked.', optional: true, min: 0, max: most }) calls?: number;
  @Int({ about: 'Tokens it read.', optional: true, min: 0, max: most }) inputTokens?: number;
  @Int({ about: 'Tokens it wrote.', optional: true, min: 0, max: most }) outputTokens?: number;
}

export class ModelJobView {
  @Id('job', { about: 'The job.' }) id: string;
  @Text({ about: 'The operation that asked for it.', max: 100 }) operation: string;
  @Id('property', { about: 'The property that it is for, where it is for one.', nullable: true })
  propertyId: string | null;
  @Id('member', { about: 'Who asked for it.' }) requestedBy: string;
  @OneOf(modelJobStatuses, { about: 'How far it is.' }) status: ModelJobStatus;
  @OpenObject({ about: 'What came of it: a draft or a new version, with its diff and warnings.', nullable: true })
  result: Record<string, unknown> | null;
  @ObjectOf(() => ModelJobError, { about: 'Why nothing came of it.', nullable: true }) error: ModelJobError | null;
  @ObjectOf(() => ModelJobUsage, { about: 'What the model was and what it took.' }) usage: ModelJobUsage;
  @Int({ about: 'How often it was begun.', min: 0, max: most }) attempts: number;
  @Timestamp({ about: 'When it was first begun.', nullable: true }) startedAt: string | null;
  @Timestamp({ about: 'When it ended.', nullable: true }) finishedAt: string | null;
  @Int({ about: 'Rises with every change.', min: 1, max: most }) version: number;
  @Timestamp({ about: 'When it was asked for.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
