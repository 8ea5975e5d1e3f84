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

  take(): { table?: PortableTable; rows: string[] } {
    const { table, rows } = this;
    this.table = undefined;
    this.rows = [];
    return { table, rows };
  }
}
