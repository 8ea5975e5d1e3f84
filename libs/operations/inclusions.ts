import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { JsonSchema, Shape } from './shape.js';

/** Records of other kinds that can be shown beside each record of a list (`include`). */
export const inclusions = ['guest', 'unit', 'unitType', 'property', 'tasks', 'assignees', 'devices'] as const;
export type Inclusion = (typeof inclusions)[number];

/** Sources that may have several records beside one record. */
export const isListed = (name: Inclusion): boolean => ['tasks', 'assignees', 'devices'].includes(name);

/** The most in one request: each takes a statement. */
export const mostInclusions = 3;

/** Where such records come from. */
export interface InclusionSource {
  /** The permission that reads them. */
  readonly scope: string;
  readonly view: Shape;
  /** In one statement: those that the caller may see, each with the id that asks for it. */
  load(caller: Caller, ids: readonly string[]): Promise<(readonly [id: string, record: object])[]>;
}

/** The sources by name. The processes register them, because features do not import each other. */
@Injectable()
export class Inclusions {
  private known?: Readonly<Record<Inclusion, InclusionSource>>;

  are(sources: Readonly<Record<Inclusion, InclusionSource>>): void {
    this.known = sources;
  }

  of(name: Inclusion): InclusionSource {
    if (!this.known) throw new Error('Import InclusionsModule: nothing can be included');
    return this.known[name];
  }
}

/** The two inputs of operations with `includes`, which the edge reads; both are texts with commas. */
export const shownFields = (names: readonly string[]): Record<'include' | 'fields', JsonSchema> => ({
  include: { type: 'string', description: `Up to ${mostInclusions}: ${names.join(',')}` },
  fields: { type: 'string', description: 'Only these' },
});
