import type { SystemDatabase } from '#system-database';
import type { PortableTable } from './portable-tables.js';

const rowsAtOnce = 500;

/** Rows of one table that are inserted together. */
export class Batch {
  private table?: PortableTable;
  private rows: string[] = [];

  isFullFor(table: PortableTable): boolean {
    return this.table !== table || (this.rows.length >= rowsAtOnce && !table.refersToItself);
  }

  add(table: PortableTable, row: string): void {
    this.table = table;
    this.rows.push(row);
  }

  async flush(database: SystemDatabase, orgId: string): Promise<void> {
    const { table, rows } = this;
    this.table = undefined;
    this.rows = [];
    if (table) await insertRows(database, table.name, `[${rows.join(',')}]`, { orgId, with: table.importedWith });
  }
}

/** @param rows a JSON array; only columns that the table has, and the organization is that of the import. */
export async function insertRows(
  database: SystemDatabase,
  name: string,
  rows: string,
  given: { orgId?: string; with?: PortableTable['importedWith'] } = {},
): Promise<void> {
  const columns = await database.rows(
    `select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'
        and column_name in (select jsonb_object_keys(row) from jsonb_array_elements($2::jsonb) row)`,
    [name, rows],
  );
  const names = columns.map((column) => column.name as string);
  const values = names.map((column) =>
    column === 'org_id' ? `'${given.orgId}'::uuid` : (given.with?.[column] ?? `t.${column}`),
  );
  await database.rows(
    `insert into ${name} (${names.join(', ')})
     select ${values.join(', ')} from jsonb_populate_recordset(null::${name}, $1::jsonb) t`,
    [rows],
  );
}
