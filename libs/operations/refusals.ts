import type { Refusal } from '#errors';
import type { Operation } from './operation.js';

const beside = new Map<string, readonly Refusal[]>();

/** Declares the errors that a feature adds to an operation of a lower floor, which cannot import it. */
export function refuseBeside({ name }: Pick<Operation, 'name'>, refusals: readonly Refusal[]): void {
  beside.set(name, [...refusalsBeside({ name }), ...refusals]);
}

export const refusalsBeside = ({ name }: Pick<Operation, 'name'>): readonly Refusal[] => beside.get(name) ?? [];
