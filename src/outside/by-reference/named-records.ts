import { Injectable } from '@nestjs/common';
import type { Referable } from '../../tenancy/references/external-ref.dto.js';
import { ReferencesRepository } from '../../tenancy/references/references.repository.js';
import type { Connection } from '../connections/connection.entity.js';
import { namedTwice, referencedNotFound } from './by-reference.errors.js';

/** The fields that name another record by its reference, and the field that they stand for. */
const namings = {
  propertyRef: { resource: 'property', field: 'propertyId' },
  unitTypeRef: { resource: 'unit_type', field: 'unitTypeId' },
  unitRef: { resource: 'unit', field: 'unitId' },
  guestRef: { resource: 'guest', field: 'guestId' },
} as const satisfies Record<string, { resource: Referable; field: string }>;
type Naming = keyof typeof namings;
const fields = Object.keys(namings) as Naming[];

/** Content in which other records have their ids here. */
export type Resolved<Content> = Omit<Content, Naming> & {
  [Name in Naming as Name extends keyof Content ? (typeof namings)[Name]['field'] : never]?: string | null;
};

/** The records that some content names by reference. */
export class Names {
  constructor(private readonly ids: ReadonlyMap<Naming, ReadonlyMap<string, { recordId: string }>>) {}

  /** @throws validation_error for a record that is named twice; not_found_error for one that is not known. */
  resolve<Content extends object>(content: Content): Resolved<Content> {
    const resolved = { ...content } as Record<string, unknown>;
    for (const name of fields) {
      const { [name]: externalId } = resolved as Partial<Record<Naming, string | null>>;
      const { field } = namings[name];
      delete resolved[name];
      if (externalId === undefined) continue;
      if (resolved[field] !== undefined) throw namedTwice(field, name);
      resolved[field] = externalId && this.idOf(name, externalId);
    }
    return resolved as Resolved<Content>;
  }

  /** The property of some content; undefined if it names none that is known. */
  propertyOf({ propertyId, propertyRef }: { propertyId?: string; propertyRef?: string }): string | undefined {
    return propertyId ?? (propertyRef && this.ids.get('propertyRef')?.get(propertyRef)?.recordId);
  }

  private idOf(name: Naming, externalId: string): string {
    const known = this.ids.get(name)?.get(externalId);
    if (!known) throw referencedNotFound(name, externalId);
    return known.recordId;
  }
}

/** Finds the records that content names by reference. */
@Injectable()
export class NamedRecords {
  constructor(private readonly references: ReferencesRepository) {}

  async load({ orgId, id: connectionId }: Connection, contents: readonly object[]): Promise<Names> {
    const ids = new Map<Naming, Awaited<ReturnType<ReferencesRepository['find']>>>();
    for (const name of fields) {
      const named = (contents as Partial<Record<Naming, string | null>>[]).flatMap((content) => content[name] ?? []);
      const { resource } = namings[name];
      if (named.length > 0)
        ids.set(name, await this.references.find(orgId, { resource, connectionId }, [...new Set(named)]));
    }
    return new Names(ids);
  }
}
