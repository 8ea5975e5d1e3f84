import type { Operation } from './operation.js';

type CarriesOut = (input: object) => readonly Operation[];

const beside = new Map<string, CarriesOut>();

/**
 * Declares which operations of a feature are also performed by an operation of a lower floor, which cannot import it.
 */
export function carryOutBeside<In extends object>(
  { name }: Operation<In>,
  carriesOut: (input: In) => readonly Operation[],
): void {
  beside.set(name, carriesOut as CarriesOut);
}

/** An operation, and those that this input also performs. */
export const allCarriedOut = (one: Operation, input: object): readonly Operation[] => [
  one,
  ...(one.carriesOut?.(input) ?? []),
  ...(beside.get(one.name)?.(input) ?? []),
];
