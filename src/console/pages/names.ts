import { listApiKeys } from '../../auth/api-keys/api-keys.operations.js';
import { listMembers } from '../../tenancy/members/members.operations.js';
import { listProperties } from '../../tenancy/properties/properties.operations.js';
import { listRoles } from '../../tenancy/roles/roles.operations.js';
import { listUnits } from '../../tenancy/units/units.operations.js';
import type { Permission } from '../../platform/callers/permissions.js';
import type { Operation, Page } from '#operations';
import type { Choices } from '../parts/entry.js';
import type { Visit } from '../frame/visit.js';

/** The names of records by their ids, where the person may see them; an id that is not among them stays an id. */
export type Names = ReadonlyMap<string, string>;

const lists = {
  members: [listMembers, 'members:read'],
  keys: [listApiKeys, 'api-keys:read'],
  properties: [listProperties, 'properties:read'],
  roles: [listRoles, 'members:read'],
} as const satisfies Record<string, readonly [unknown, Permission]>;

export async function namesOf(visit: Visit, kind: keyof typeof lists): Promise<Names> {
  const [operation, permission] = lists[kind];
  if (!visit.may(permission)) return new Map();
  const list = operation as unknown as Operation<{ limit?: number }, Page<{ id: string; name: string }>>;
  const { items } = await visit.ask(list, { limit: 100 });
  return new Map(items.map(({ id, name }) => [id, name]));
}

export const choicesOf = (names: Names): Choices => [...names];

/** The names of the rooms of a property, by their ids. */
export async function roomNamesOf({ ask, may }: Visit, propertyId: string): Promise<Names> {
  if (!may('properties:read')) return new Map();
  const { items } = await ask(listUnits, { propertyId, limit: 100 });
  return new Map(items.map(({ id, name }) => [id, name]));
}
