import type { Issue } from '#errors';
import type { JsonSchema } from '#operations';

/** What a model is asked. */
export interface ModelRequest {
  /** What it is to do and by which rules, in our words alone. */
  system: string;
  /** What the caller wants, in the caller's words. */
  instruction: string;
  /** What guests wrote, what was imported, what is there already: handed over as data, never as instructions. */
  data?: unknown;
  /** What the answer must look like. */
  schema: JsonSchema;
  /** The answer before, and what was wrong with it. */
  correction?: { answer: string; issues: readonly Issue[] };
  signal: AbortSignal;
}

/** What answers cost, kept with the job. */
export interface ModelUsage {
  model: string;
  temperature: number | null;
  calls: number;
  inputTokens: number;
  outputTokens: number;
}

/**
 * What became of it. `unavailable`: asking again later can help (429, 5xx, a timeout, no connection). `refused`: it
 * cannot; the model's server wants something else of its operator, such as a key that is valid.
 */
export type ModelAnswer =
  | { outcome: 'answered'; text: string; cutOff: boolean; usage: ModelUsage }
  | { outcome: 'unavailable'; reason: string; retryAfterSeconds?: number }
  | { outcome: 'refused'; reason: string };

/** A language model, whoever serves it. Adapters answer with what this file names and throw nothing of their vendor's. */
export abstract class LanguageModel {
  /** Whether the operator has set one up. */
  abstract readonly isConfigured: boolean;

  /** @throws the signal's reason when it is aborted. */
  abstract answer(request: ModelRequest): Promise<ModelAnswer>;
}
