import type { Operation } from './operation.js';

type CarriesOut = (input: object) => readonly Operation[];

const beside = new Map<string, CarriesOut>();

/** Declares which operations of a feature an operation of a floor below also does, which does not know the feature. */
export function carryOutBeside<In extends object>(
  { name }: Operation<In>,
  carriesOut: (input: In) => readonly Operation[],
): void {
  beside.set(name, carriesOut as CarriesOut);
}

/** An operation, and those whose work this input does too. */
export const allCarriedOut = (one: Operation, input: object): readonly Operation[] => [
  one,
  ...(one.carriesOut?.(input) ?? []),
  ...(beside.get(one.name)?.(input) ?? []),
];
