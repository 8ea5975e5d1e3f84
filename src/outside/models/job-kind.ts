import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Operation } from '#operations';
import type { Drafting } from './drafting.js';
import type { ModelJobError, ModelJobView } from './model-job.dto.js';

/**
 * A kind of work that a language model does. A feature declares it as a model-backed operation and registers it with
 * `ModelJobKinds`. The result is a draft or a new version, never something live.
 */
export interface JobKind<Input extends object = object, Draft = unknown> {
  readonly operation: Operation<Input, ModelJobView>;

  /**
   * Has the model produce the draft. No transaction is open, the call may take minutes, and it is repeated if the
   * process dies, so it must not change anything. ServiceErrors and DraftRefused end the job with their message; an
   * unreachable model is called again later.
   */
  make(caller: Caller, input: Input, drafting: Drafting): Promise<Draft>;

  /**
   * Saves the draft in the transaction that ends the job; runs once.
   *
   * @returns the job's result: ids, draft, diff, warnings.
   */
  save(caller: Caller, input: Input, draft: Draft): Promise<Record<string, unknown>>;

  /**
   * Undoes what the request has marked, in the transaction that ends the job without a draft.
   *
   * @param error the failure, or null if the job was cancelled.
   */
  abandon?(caller: Caller, input: Input, error: ModelJobError | null): Promise<void>;
}

/** Features register their kinds here. */
@Injectable()
export class ModelJobKinds {
  private readonly known = new Map<string, JobKind>();

  register<Input extends object, Draft>(kind: JobKind<Input, Draft>): void {
    this.known.set(kind.operation.name, kind);
  }

  find(operation: string): JobKind | undefined {
    return this.known.get(operation);
  }

  all(): readonly JobKind[] {
    return [...this.known.values()];
  }
}
