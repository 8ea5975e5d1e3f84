import { Injectable } from '@nestjs/common';
import { type Caller, may } from '#access';
import type { Answer } from '#errors';
import { type Operation, schemaOf, type Shape } from '#operations';
import type { ExternalRef } from '../../tenancy/references/external-ref.dto.js';
import { ReferencesRepository } from '../../tenancy/references/references.repository.js';

const referring = new WeakMap<Shape, boolean>();

/** References are for who may read connections. Any other credential sees those of the connections that name it. */
@Injectable()
export class ReferenceSight {
  constructor(private readonly references: ReferencesRepository) {}

  async limit(caller: Caller, { output, includes }: Operation, { value }: Answer): Promise<void> {
    if (may(caller, 'connections:read') || !(refers(output.view) || includes)) return;
    const lists = listsIn(value);
    if (lists.every((refs) => refs.length === 0)) return;
    const own = await this.references.ownConnections(caller);
    for (const refs of lists) refs.splice(0, refs.length, ...refs.filter(({ connectionId }) => own.has(connectionId)));
  }
}

/** Whether a view shows references, at whatever depth. */
function refers(view: Shape): boolean {
  const known = referring.get(view) ?? JSON.stringify(schemaOf(view, { describe: false })).includes('"externalRefs"');
  referring.set(view, known);
  return known;
}

function listsIn(value: unknown): ExternalRef[][] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(listsIn);
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'externalRefs' && Array.isArray(part) ? [part as ExternalRef[]] : listsIn(part),
  );
}
