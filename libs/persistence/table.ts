import type { ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { loopShare, mapInTurns } from '#turns';
import type { Cursors } from './cursors.js';
import type { TenantDatabase } from './tenant-database.js';
import { uuidIn } from './ids.js';
import { insertionOf, updateOf } from './many-rows.js';
import { changesTo, snapshotOf } from './row-changes.js';
import { type Changed, RowImages } from './row-images.js';
import { TableReader } from './table-reader.js';
import type { Where } from './where.js';

/** Rows that a client may change: each change gives a new version. */
export interface Versioned {
  id: string;
  orgId: string;
  version: number;
  updatedAt: string;
}

/** How many rows go into one statement, which holds the event loop while it is written. */
const mostInStatement = 200;

/** One table with data of organizations: named SQL for reads and inserts. Every statement contains org_id. */
export class Table<T extends ObjectLiteral & { orgId: string }> extends TableReader<T> {
  private readonly insertion: string;
  private readonly images: RowImages<T>;

  constructor(database: TenantDatabase, entity: new () => T, cursors: Cursors) {
    super(database, entity, cursors);
    this.images = new RowImages(database.dataSource, entity);
    const places = this.metadata.columns.map((_, index) => `$${index + 1}`).join(', ');
    this.insertion = `insert into ${this.metadata.tableName} (${this.columns}) values (${places})`;
  }

  /** Inserts a row that has all its fields. */
  async insert(row: T): Promise<T> {
    this.insertAtCommit(row);
    await this.database.flush();
    return row;
  }

  /**
   * Saves a round trip compared with `insert`; for rows that violate no constraint, since errors only appear at COMMIT.
   */
  insertAtCommit(row: T): T {
    this.database.defer(row.orgId, this.insertion, this.valuesOf(row));
    return row;
  }

  /** The same for many rows of one organization, with one statement for many of them. */
  async insertAllAtCommit(rows: readonly T[]): Promise<void> {
    for (const some of inParts(rows)) {
      if (loopShare.isUsedUp) await loopShare.next();
      const { text, json } = insertionOf(this.metadata, some);
      this.database.defer((some[0] as T).orgId, text, [json]);
    }
  }

  /** Inserts a row unless one with the same key exists. Returns whether it did. */
  async insertUnlessThere(row: T): Promise<boolean> {
    const text = `${this.insertion} on conflict do nothing returning 1`;
    return (await this.database.rows(row.orgId, text, this.valuesOf(row))).length > 0;
  }

  async delete(orgId: string, id: string): Promise<void> {
    await this.database.execute(this.database.builder.delete().from(this.entity).where({ orgId, id }));
  }

  /**
   * Writes the changes to a row that the current transaction has locked, and gives it its next version. If none of them
   * differs from the row, nothing is written and it keeps its version.
   *
   * @returns the row as it was before; the row itself where nothing changed.
   */
  async update(row: T & Versioned, changes: Partial<T>): Promise<T> {
    const differing = changesTo(this.metadata, row as T, changes);
    if (Object.keys(differing).length === 0) return row;
    const before = snapshotOf<T>(row);
    const stamped = { ...differing, version: row.version + 1, updatedAt: new Date().toISOString() };
    const { orgId, id } = row;
    await this.database.execute(this.database.builder.update(this.entity).set(stamped).where({ orgId, id }));
    Object.assign(row, stamped);
    return before;
  }

  /** The fields that the table stores, of those of a record or of its view. */
  columnsOf(fields: object): Partial<T> {
    const names = new Set(this.metadata.columns.map(({ propertyName }) => propertyName));
    return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name))) as Partial<T>;
  }

  /**
   * Writes the same changes to many rows of one organization, which the current transaction has locked; those that hold
   * them already stay as they are.
   *
   * @returns the rows that changed, each with how it was before.
   */
  async updateAll(rows: readonly (T & Versioned)[], changes: Partial<T>): Promise<Changed<T>[]> {
    const isOther = (row: T): boolean => Object.keys(changesTo(this.metadata, row, changes)).length > 0;
    const others = await mapInTurns(rows, isOther);
    const differing = rows.filter((_, index) => others[index]);
    const [first] = differing;
    if (!first) return [];
    const stamped = { ...changes, updatedAt: new Date().toISOString() };
    await this.database.execute(
      this.database.builder
        .update(this.entity)
        .set({ ...stamped, version: () => 'version + 1' })
        .where('org_id = :orgId and id = any(:ids)', {
          orgId: uuidIn(first.orgId),
          ids: differing.map(({ id }) => uuidIn(id)),
        }),
    );
    return await mapInTurns(differing, (row) => {
      const before = snapshotOf<T>(row);
      return { before, after: Object.assign(row, stamped, { version: row.version + 1 }) };
    });
  }

  /**
   * Writes different changes to many rows of one organization, which the current transaction has locked: one statement
   * for all whose same fields change.
   *
   * @returns the rows that changed, each with how it was before.
   */
  async updateEach(wanted: readonly { row: T & Versioned; changes: Partial<T> }[]): Promise<Changed<T>[]> {
    const now = new Date().toISOString();
    const changed = await mapInTurns(wanted, ({ row, changes }) => {
      const differing = changesTo(this.metadata, row as T, changes);
      const fields = Object.keys(differing);
      if (fields.length === 0) return [];
      const before = snapshotOf<T>(row);
      return [{ fields, before, after: Object.assign(row, differing, { version: row.version + 1, updatedAt: now }) }];
    });
    const alike = [...Map.groupBy(changed.flat(), ({ fields }) => fields.join()).values()];
    for (const some of alike.flatMap(inParts)) {
      const [{ fields, after }] = some as [(typeof some)[number]];
      const rows = some.map((one) => one.after);
      const { text, json } = updateOf(this.metadata, fields, rows);
      await this.database.rows(after.orgId, text, [uuidIn(after.orgId), json, now]);
    }
    return changed.flat();
  }

  /** Runs an UPDATE of the table. @returns each row that it changed, as it was and as it is, in the order of their ids. */
  async changing(orgId: string, update: string, values: unknown[]): Promise<Changed<T>[]> {
    const rows = await this.database.rows(orgId, `${update} returning ${this.images.columns}`, values);
    const inOrder = rows.toSorted((one, other) => (String(one.new_id) < String(other.new_id) ? -1 : 1));
    return await mapInTurns(inOrder, (row) => this.images.readOne(row));
  }

  /** Writes the changes to the row that meets the conditions, if there is one; gives it no version. */
  async changeWhere(orgId: string, where: Where, changes: Partial<T>): Promise<Changed<T> | undefined> {
    const columns = this.metadata.columns.filter(({ propertyName }) => changes[propertyName] !== undefined);
    const first = where.values.length + 1;
    const sets = columns.map(({ databaseName }, index) => `${databaseName} = $${first + index}`).join(', ');
    const values = columns.map((column) => columnValue(column, changes[column.propertyName]));
    const text = `update ${this.metadata.tableName} set ${sets} ${where.text}`;
    return (await this.changing(orgId, text, [...where.values, ...values]))[0];
  }

  private valuesOf(row: T): unknown[] {
    return this.metadata.columns.map((column) => columnValue(column, row[column.propertyName]));
  }
}

function inParts<R>(rows: readonly R[]): R[][] {
  const parts = Math.ceil(rows.length / mostInStatement);
  return Array.from({ length: parts }, (_, part) => rows.slice(part * mostInStatement, (part + 1) * mostInStatement));
}

/** The value that pg sends for a field: pg would write a list as an array, but jsonb needs JSON. */
function columnValue({ type, transformer }: ColumnMetadata, value: unknown): unknown {
  if (transformer && !Array.isArray(transformer)) return transformer.to(value) as unknown;
  return type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
}
