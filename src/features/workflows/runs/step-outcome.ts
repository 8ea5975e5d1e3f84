import type { ServiceError } from '#errors';
import type { WorkflowRunError } from '../../../workflows/runs/run.dto.js';

/** What became of a step that did something. */
export type StepOutcome = Done | UnderWay | Failure;

export interface Done {
  outcome: 'done';
  result: Record<string, unknown>;
}

/** It goes on behind its answer, and is asked for by its id. */
export interface UnderWay {
  outcome: 'under way';
  result: { id: string };
}

export interface Failure {
  outcome: 'failed';
  error: WorkflowRunError;
  /** Whether another try can help. */
  isPassing: boolean;
}

const longestMessage = 1_000;

export const done = (result: Record<string, unknown> = {}): Done => ({ outcome: 'done', result });

export const failedWith = (code: string, message: string, isPassing: boolean): Failure => ({
  outcome: 'failed',
  error: { code, message: message.slice(0, longestMessage) },
  isPassing,
});

export const failedBy = ({ code, message, status }: ServiceError): Failure => failedWith(code, message, status === 503);
