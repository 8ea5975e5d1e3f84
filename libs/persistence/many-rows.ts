import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

/** A statement about many rows, whose rows travel as one JSON value: their number does not change its text. */
interface Many {
  text: string;
  json: string;
}

/** The INSERT of many rows; $1 is their JSON. */
export const insertionOf = <T extends ObjectLiteral>(
  { tableName, columns }: EntityMetadata,
  rows: readonly T[],
): Many => ({
  text: `insert into ${tableName} (${namesOf(columns)}) select ${namesOf(columns)} from ${recordset('$1', columns)}`,
  json: JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((column) => [column.databaseName, jsonOf(column, row)]))),
  ),
});

/**
 * The UPDATE that gives each row values of its own for the same fields, and its next version: $1 organization, $2 their
 * JSON, $3 now. The rows are looked up by a list of ids: PostgreSQL expects a hundred of JSON, and would read thousands
 * of the organization instead.
 */
export function updateOf<T extends ObjectLiteral & { id: string }>(
  { tableName, columns }: EntityMetadata,
  fields: readonly string[],
  rows: readonly T[],
): Many {
  const changed = columns.filter(({ propertyName }) => fields.includes(propertyName));
  const id = columns.find(({ propertyName }) => propertyName === 'id') as ColumnMetadata;
  const sets = changed.map(({ databaseName: name }) => `${name} = v.${name}`);
  return {
    text: `with v as (select * from ${recordset('$2', [id, ...changed])})
           update ${tableName} t set ${[...sets, 'version = t.version + 1', 'updated_at = $3'].join(', ')}
             from v where t.org_id = $1 and t.id = any(array(select id from v)) and t.id = v.id`,
    json: JSON.stringify(
      rows.map((row) =>
        Object.fromEntries([id, ...changed].map((column) => [column.databaseName, jsonOf(column, row)])),
      ),
    ),
  };
}

const namesOf = (columns: readonly ColumnMetadata[]): string =>
  columns.map(({ databaseName }) => databaseName).join(', ');

const recordset = (place: string, columns: readonly ColumnMetadata[]): string =>
  `jsonb_to_recordset(${place}::jsonb) as v (${columns
    .map(({ databaseName, type, isArray }) => `${databaseName} ${String(type)}${isArray ? '[]' : ''}`)
    .join(', ')})`;

/** The value of a field as JSON that PostgreSQL reads back into the type of its column. */
function jsonOf({ propertyName, transformer }: ColumnMetadata, row: ObjectLiteral): unknown {
  const value = row[propertyName] as unknown;
  const stored = transformer && !Array.isArray(transformer) ? (transformer.to(value) as unknown) : value;
  return Buffer.isBuffer(stored) ? `\\x${stored.toString('hex')}` : stored;
}
