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

/** Content in which other records have their ids here. */
export type Resolved<Content> = Omit<Content, keyof typeof namings> & {
  [Name in keyof typeof namings as Name extends keyof Content ? (typeof namings)[Name]['field'] : never]?:
    | string
    | null;
};

/** Finds the records that content names by reference. */
@Injectable()
export class NamedRecords {
  constructor(private readonly references: ReferencesRepository) {}

  /** @throws validation_error for a record that is named twice; not_found_error for one that is not known. */
  async resolve<Content extends object>({ orgId, id }: Connection, content: Content): Promise<Resolved<Content>> {
    const resolved = { ...content } as Record<string, unknown>;
    for (const [name, { resource, field }] of Object.entries(namings)) {
      const externalId = resolved[name] as string | null | undefined;
      delete resolved[name];
      if (externalId === undefined) continue;
      if (resolved[field] !== undefined) throw namedTwice(field, name);
      resolved[field] = externalId && (await this.idOf(orgId, { resource, connectionId: id }, name, externalId));
    }
    return resolved as Resolved<Content>;
  }

  private async idOf(
    orgId: string,
    of: { resource: Referable; connectionId: string },
    name: string,
    externalId: string,
  ): Promise<string> {
    const known = (await this.references.find(orgId, of, [externalId])).get(externalId);
    if (!known) throw referencedNotFound(name);
    return known.recordId;
  }
}
