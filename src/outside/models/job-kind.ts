import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Operation } from '#operations';
import type { Drafting } from './drafting.js';
import type { ModelJobError, ModelJobView } from '../../models/model-job.dto.js';

/**
 * A kind of work that a language model does: a feature makes one a model-backed operation and registers it with
 * `ModelJobKinds`. What it yields is a draft or a new version, never something live.
 */
export interface JobKind<Input extends object = object, Draft = unknown> {
  readonly operation: Operation<Input, ModelJobView>;

  /**
   * Has the model make the draft. No transaction is open, it may take minutes, and it is done again when the process
   * dies: it changes nothing. ServiceErrors and DraftRefused end the job with what they say; a model that cannot be
   * reached is asked again later.
   */
  make(caller: Caller, input: Input, drafting: Drafting): Promise<Draft>;

  /**
   * Saves the draft, in the transaction that ends the job; runs once.
   *
   * @returns what the job shows as its result: ids, draft, diff, warnings.
   */
  save(caller: Caller, input: Input, draft: Draft): Promise<Record<string, unknown>>;

  /**
   * Takes back what the request has marked, in the transaction that ends the job without a draft.
   *
   * @param error why it failed; null where it was cancelled.
   */
  abandon?(caller: Caller, input: Input, error: ModelJobError | null): Promise<void>;
}

/** Features register the kinds that they bring. */
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
