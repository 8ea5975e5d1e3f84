import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm';
import type { Row } from './batch.js';

/** A record that a statement changed, before and after. */
export interface Changed<T> {
  before: T;
  after: T;
}

/** Reads both images of each row from a changing statement, so that the change needs no second statement. */
export class RowImages<T extends ObjectLiteral> {
  /** Goes after RETURNING; `old` and `new` are PostgreSQL's names of the two images. */
  readonly columns: string;
  private readonly before: (row: Row) => T;
  private readonly after: (row: Row) => T;

  constructor(dataSource: DataSource, entity: new () => T) {
    const metadata = dataSource.getMetadata(entity);
    this.columns = metadata.columns
      .flatMap(({ databaseName: name }) => [`old.${name} as old_${name}`, `new.${name} as new_${name}`])
      .join(', ');
    this.before = entityReader(metadata, entity, 'old_');
    this.after = entityReader(metadata, entity, 'new_');
  }

  read(rows: readonly Row[]): Changed<T>[] {
    return rows.map((row) => this.readOne(row));
  }

  readOne(row: Row): Changed<T> {
    return { before: this.before(row), after: this.after(row) };
  }
}

/**
 * Reads a row into its entity, by a function generated once from the entity's columns.
 *
 * @param prefix of the columns' names in the row.
 */
export function entityReader<T>(metadata: EntityMetadata, entity: new () => T, prefix = ''): (row: Row) => T {
  const transforms = metadata.columns.map(({ transformer }) =>
    transformer && !Array.isArray(transformer) ? (value: unknown) => transformer.from(value) as unknown : undefined,
  );
  const lines = metadata.columns.map(({ propertyName, databaseName }, index) => {
    const value = `row.${prefix}${databaseName}`;
    return `entity.${propertyName} = ${transforms[index] ? `transforms[${index}](${value})` : value};`;
  });
  // oxlint-disable-next-line typescript/no-implied-eval -- out of the entity's own column names
  const make = new Function(
    'Entity',
    'transforms',
    `return (row) => { const entity = new Entity(); ${lines.join(' ')} return entity; };`,
  ) as (entity: new () => T, from: typeof transforms) => (row: Row) => T;
  return make(entity, transforms);
}
