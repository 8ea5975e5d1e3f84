import type { ServiceError } from '#errors';
import type { WorkflowRunError } from './run.dto.js';

/** The outcome of a step. */
export type StepOutcome = Done | InFlight | Failure;

export interface Done {
  outcome: 'done';
  result: Record<string, unknown>;
}

/** It continues after its response, and its progress is looked up by its id. */
export interface InFlight {
  outcome: 'in flight';
  result: { id: string };
}

export interface Failure {
  outcome: 'failed';
  error: WorkflowRunError;
  /** Whether a retry can help. */
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
