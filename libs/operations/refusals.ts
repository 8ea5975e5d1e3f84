import type { Refusal } from '#errors';
import type { Operation } from './operation.js';

const beside = new Map<string, readonly Refusal[]>();

/** Declares what a feature makes an operation of a floor below refuse, which does not know the feature. */
export function refuseBeside({ name }: Pick<Operation, 'name'>, refusals: readonly Refusal[]): void {
  beside.set(name, [...refusalsBeside({ name }), ...refusals]);
}

export const refusalsBeside = ({ name }: Pick<Operation, 'name'>): readonly Refusal[] => beside.get(name) ?? [];
