import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { hyphened, TenantDatabase, uuidIn } from '#persistence';
import type { Permission } from '../../platform/callers/permissions.js';

type Permissions = Caller['permissions'];

const guest = '(select g.name from guests g where g.org_id = t.org_id and g.id = t.guest_id)';
/** The unit, or the property if no unit is assigned. */
const place = (permissions: Permissions): string =>
  permissions.has('properties:read')
    ? `coalesce((select u.name from units u where u.org_id = t.org_id and u.id = t.unit_id),
        (select p.name from properties p where p.org_id = t.org_id and p.id = t.property_id))`
    : 'null';

/** Where records have their names, by the prefix of their ids, and who may read those. */
const named: Record<string, { from: string; permission: Permission; name?: (permissions: Permissions) => string }> = {
  property: { from: 'properties', permission: 'properties:read' },
  unit: { from: 'units', permission: 'properties:read' },
  unittype: { from: 'unit_types', permission: 'properties:read' },
  member: { from: 'members', permission: 'members:read' },
  role: { from: 'roles', permission: 'members:read' },
  key: { from: 'api_keys', permission: 'api-keys:read' },
  guest: { from: 'guests', permission: 'guests:read' },
  reservation: {
    from: 'reservations',
    permission: 'reservations:read',
    name: (permissions) => `concat_ws(', ',
      ${permissions.has('guests:read') ? guest : 'null'}, ${place(permissions)},
      t.check_in_date || ' to ' || t.check_out_date)`,
  },
  block: {
    from: 'unit_blocks',
    permission: 'properties:read',
    name: (permissions) =>
      `concat_ws(', ', ${place(permissions)}, t.from_date || coalesce(' to ' || t.until_date, ''))`,
  },
  task: { from: 'tasks', permission: 'tasks:read' },
  device: { from: 'devices', permission: 'devices:read' },
  code: { from: 'access_codes', permission: 'access-codes:read' },
  guide: { from: 'guides', permission: 'guides:read' },
  template: { from: 'email_templates', permission: 'templates:read' },
  workflow: { from: 'workflows', permission: 'workflows:read' },
  connection: { from: 'connections', permission: 'connections:read' },
};

/** Alone or in a sentence. */
const anId = /\b([a-z]+)_[0-9a-f]{32}\b/g;
/** More than a page of effects has. */
const most = 2_000;

/** What people call the records that ids stand for. */
@Injectable()
export class RecordNames {
  constructor(private readonly database: TenantDatabase) {}

  /** The names of all records whose ids occur somewhere in a value, as far as the reader may see them. */
  async in({ orgId, permissions }: Caller, value: unknown): Promise<ReadonlyMap<string, string>> {
    const byKind = Map.groupBy([...idsIn(value)].slice(0, most), (id) => id.slice(0, id.indexOf('_')));
    const names = new Map<string, string>();
    for (const [kind, ids] of byKind) {
      const { from, permission, name } = named[kind] ?? {};
      if (!from || !permission || !permissions.has(permission)) continue;
      const text = `select t.id, ${name?.(permissions) ?? 't.name'} as name from ${from} t where t.org_id = $1 and t.id = any($2::uuid[])`;
      const rows = await this.database.rows(orgId, text, [uuidIn(orgId), ids.map(uuidIn)]);
      const found = new Map(rows.map((row) => [row.id as string, row.name as string | null]));
      for (const id of ids) {
        const called = found.get(hyphened(id));
        if (called) names.set(id, called);
      }
    }
    return names;
  }
}

/** A sentence with names instead of ids. */
export const withNames = (sentence: string, names: ReadonlyMap<string, string>): string =>
  sentence.replaceAll(anId, (id) => names.get(id) ?? id);

function idsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') for (const [id] of value.matchAll(anId)) found.add(id);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) idsIn(item, found);
  return found;
}
