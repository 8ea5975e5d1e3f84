import type { Issue } from '#errors';
import type { JsonSchema } from '#operations';

/** A request to a model. */
export interface ModelRequest {
  /** The task and its rules, in our own words only. */
  system: string;
  /** The request in the caller's words. */
  instruction: string;
  /** Text from guests, imports and existing records. It is passed as data, never as instructions. */
  data?: unknown;
  /** The required form of the answer. */
  schema: JsonSchema;
  /** The previous answer and its faults. */
  correction?: { answer: string; issues: readonly Issue[] };
  signal: AbortSignal;
}

/** The cost of answers, stored with the job. */
export interface ModelUsage {
  model: string;
  temperature: number | null;
  calls: number;
  inputTokens: number;
  outputTokens: number;
}

/**
 * The outcome. `unavailable` means that a later retry can help (429, 5xx, a timeout, no connection). `refused` means
 * that it cannot: the operator has to change something, such as an invalid key.
 */
export type ModelAnswer =
  | { outcome: 'answered'; text: string; cutOff: boolean; usage: ModelUsage }
  | { outcome: 'unavailable'; reason: string; retryAfterSeconds?: number }
  | { outcome: 'refused'; reason: string };

/** A language model, from any vendor. Adapters return the types of this file and never throw a vendor's errors. */
export abstract class LanguageModel {
  /** Whether the operator has configured a model. */
  abstract readonly isConfigured: boolean;

  /** @throws the signal's reason when it is aborted. */
  abstract answer(request: ModelRequest): Promise<ModelAnswer>;
}
