import type pg from 'pg';

export interface ForeignKey {
  name: string;
  columns: string[];
  target: string;
  targetColumns: string[];
}

export interface Policy {
  name: string;
  roles: string[];
  command: string;
  permissive: boolean;
  using: string | null;
  check: string | null;
}

/** What PostgreSQL's catalogue says about a table. */
export interface TableFacts {
  name: string;
  owner: string;
  primaryKey: string[];
  rowSecurity: boolean;
  forced: boolean;
  /** Names and types of the columns that a row must or may contain. */
  columns: { name: string; type: string }[];
  policies: Policy[];
  foreignKeys: ForeignKey[];
  /** Unique indexes, except the primary key. */
  uniqueIndexes: { name: string; columns: string[] }[];
  /** What app_user may do with it. */
  tenantPrivileges: string[];
  /** A part of another table, whose row security applies when it is reached through that table. */
  isPartition: boolean;
}

/** Every table of the database in any schema, except PostgreSQL's own. */
export async function tablesOf(client: pg.Client): Promise<TableFacts[]> {
  const { rows } = await client.query<TableFacts>(`
    with names as (
      select attrelid, attnum, attname::text as name from pg_attribute where attnum > 0 and not attisdropped
    )
    select t.oid::regclass::text as name, pg_get_userbyid(t.relowner)::text as owner,
      t.relrowsecurity as "rowSecurity", t.relforcerowsecurity as forced,
      t.relispartition as "isPartition",
      coalesce((select json_agg(n.name order by k.place) from pg_constraint c
        cross join unnest(c.conkey) with ordinality as k (attnum, place)
        join names n on n.attrelid = t.oid and n.attnum = k.attnum
        where c.conrelid = t.oid and c.contype = 'p'), '[]') as "primaryKey",
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum)
        from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
      ) as columns,
      coalesce((select json_agg(json_build_object('name', p.policyname, 'roles', p.roles, 'command', p.cmd,
          'permissive', p.permissive = 'PERMISSIVE', 'using', p.qual, 'check', p.with_check) order by p.policyname)
        from pg_policies p where p.schemaname = s.nspname and p.tablename = t.relname), '[]') as policies,
      coalesce((select json_agg(json_build_object('name', c.conname, 'target', c.confrelid::regclass::text,
          'columns', (select json_agg(n.name order by k.place) from unnest(c.conkey) with ordinality as k (attnum, place)
            join names n on n.attrelid = c.conrelid and n.attnum = k.attnum),
          'targetColumns', (select json_agg(n.name order by k.place)
            from unnest(c.confkey) with ordinality as k (attnum, place)
            join names n on n.attrelid = c.confrelid and n.attnum = k.attnum)))
        from pg_constraint c where c.conrelid = t.oid and c.contype = 'f'), '[]') as "foreignKeys",
      coalesce((select json_agg(json_build_object('name', i.indexrelid::regclass::text,
          'columns', (select coalesce(json_agg(n.name), '[]') from names n
            where n.attrelid = t.oid and n.attnum = any(i.indkey))))
        from pg_index i where i.indrelid = t.oid and i.indisunique and not i.indisprimary), '[]') as "uniqueIndexes",
      array(select privilege
        from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) as privilege
        where has_table_privilege('app_user', t.oid, privilege)) as "tenantPrivileges"
    from pg_class t join pg_namespace s on s.oid = t.relnamespace
    where t.relkind in ('r', 'p') and s.nspname not in ('pg_catalog', 'information_schema') and s.nspname !~ '^pg_toast'
    order by 1`);
  return rows;
}

/** A value of each type that the tables use; ids and texts are different each time. */
const valueOf: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: 'gen_random_uuid()::text',
  bytea: 'gen_random_uuid()::text::bytea',
  boolean: 'true',
  smallint: '1',
  integer: '1',
  bigint: '(random() * 1e15)::bigint',
  numeric: '1',
  'double precision': '1',
  date: 'current_date',
  daterange: "daterange('empty')",
  'timestamp with time zone': 'now()',
  'timestamp without time zone': 'now()',
  'time without time zone': "'12:00'",
  json: "'{}'",
  jsonb: "'{}'",
  inet: "'127.0.0.1'",
  xid8: 'pg_current_xact_id()',
};

/** SQL that inserts a row of the organization, with the other required columns. */
export function insertOf(table: TableFacts, orgColumn: string, orgId: string): string {
  const values = table.columns.map(({ name, type }) => {
    if (name === orgColumn) return `'${orgId}'`;
    const value = type.endsWith('[]') ? "'{}'" : valueOf[type];
    if (!value) throw new Error(`Say in test/support/tables.ts how a value of type ${type} looks`);
    return value;
  });
  return `insert into ${table.name} (${table.columns.map(({ name }) => name).join(', ')}) values (${values.join(', ')})`;
}
