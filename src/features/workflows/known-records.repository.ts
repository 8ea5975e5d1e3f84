import { Injectable } from '@nestjs/common';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';

/** Tables that ids in definitions may refer to, by the prefix of the ids. */
const tables: Record<string, string> = {
  device: 'devices',
  guest: 'guests',
  member: 'members',
  property: 'properties',
  reservation: 'reservations',
  task: 'tasks',
  template: 'email_templates',
  unit: 'units',
};

/** A record that a model may choose. */
export interface NamedRecord {
  id: string;
  name: string;
}

const mostNamed = 200;

/** Records of other features that definitions refer to. */
@Injectable()
export class KnownRecordsRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** The ids among some that match nothing in the organization. */
  async unknown(orgId: string, ids: readonly string[]): Promise<Set<string>> {
    const unknown = new Set<string>();
    for (const [prefix, table] of Object.entries(tables)) {
      const asked = ids.filter((id) => id.startsWith(`${prefix}_`));
      if (asked.length === 0) continue;
      const text = `select id from ${table} where org_id = $1 and id = any($2::uuid[])`;
      const rows = await this.database.rows(orgId, text, [uuidIn(orgId), asked.map(uuidIn)]);
      const known = new Set(rows.map(({ id }) => idColumn(prefix).from(id) as string));
      for (const id of asked) if (!known.has(id)) unknown.add(id);
    }
    return unknown;
  }

  /** The email templates among some that can be sent. */
  async published(orgId: string, templateIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.rows(
      orgId,
      `select id from email_templates where org_id = $1 and id = any($2::uuid[]) and status = 'published'`,
      [uuidIn(orgId), templateIds.map(uuidIn)],
    );
    return new Set(rows.map(({ id }) => idColumn('template').from(id) as string));
  }

  /** The records that a model may choose, by the prefix of the ids. It is shown no others. */
  async choices(orgId: string, prefixes: readonly string[]): Promise<Record<string, NamedRecord[]>> {
    const choices: Record<string, NamedRecord[]> = {};
    for (const [prefix, condition] of Object.entries(offered)) {
      if (!prefixes.includes(prefix)) continue;
      const rows = await this.database.rows(
        orgId,
        `select id, name from ${tables[prefix]} where org_id = $1 and ${condition} order by id limit ${mostNamed}`,
        [uuidIn(orgId)],
      );
      choices[prefix] = rows.map((row) => {
        return { id: idColumn(prefix).from(row.id) as string, name: row.name as string };
      });
    }
    return choices;
  }
}

/** A model may name any of these. */
const offered: Record<string, string> = {
  device: 'archived_at is null',
  member: `status = 'active'`,
  property: 'archived_at is null',
  template: `status <> 'archived'`,
  unit: 'archived_at is null',
};
