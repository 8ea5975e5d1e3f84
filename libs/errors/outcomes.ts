import { ServiceError } from './service-error.js';

/** The outcome of one item of many: its result, or why it was rejected. */
export type Outcome<T> = { value: T } | { refusal: ServiceError };

/** @throws an error that concerns more than this item. */
export function outcomeOf<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    return { refusal: error };
  }
}

/** The same for asynchronous work. */
export async function outcomeOfWork<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return outcomeOf(() => {
      throw error;
    });
  }
}

/** @throws ServiceError where it was rejected. */
export function valueOf<T>(outcome: Outcome<T> | undefined): T {
  if (!outcome) throw new Error('There is no outcome');
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.value;
}

export const valuesOf = <T>(outcomes: readonly Outcome<T>[]): T[] =>
  outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value] : []));

/**
 * Runs the next step for all items that were not rejected, together; the others stay rejected, in their place.
 *
 * @param step returns an outcome for each, in their order.
 */
export async function further<T, Next>(
  outcomes: readonly Outcome<T>[],
  step: (values: T[]) => Outcome<Next>[] | Promise<Outcome<Next>[]>,
): Promise<Outcome<Next>[]> {
  const next = (await step(valuesOf(outcomes))).values();
  return outcomes.map((outcome) => ('refusal' in outcome ? outcome : (next.next().value as Outcome<Next>)));
}

/** The outcome for each value. */
export const beside = <T, Result, Next>(
  values: readonly T[],
  outcomes: readonly Outcome<Result>[],
  join: (value: T, result: Result) => Next,
): Outcome<Next>[] =>
  outcomes.map((outcome, index) =>
    'refusal' in outcome ? outcome : outcomeOf(() => join(values[index] as T, outcome.value)),
  );
