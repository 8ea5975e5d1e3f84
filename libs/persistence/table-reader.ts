import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import type { Page } from '#operations';
import { mapInTurns } from '#turns';
import type { Row } from './batch.js';
import type { Cursors } from './cursors.js';
import type { TenantDatabase } from './tenant-database.js';
import { uuidIn } from './ids.js';
import { entityReader } from './row-images.js';
import { inSteps } from './search-in-steps.js';
import { Where } from './where.js';

/** How a list may be sorted: API name → SQL expression for each direction. Ties are broken by id. */
export type Sortable = Record<string, { asc: string; desc: string }>;

export interface PageRequest {
  limit?: number;
  cursor?: string;
  /** A name of `Sortable`, with `-` before it for descending. */
  sort?: string;
}

const defaultLimit = 20;

/** Reads a table with data of organizations: rows, pages of a list and counts. */
export class TableReader<T extends ObjectLiteral & { orgId: string }> {
  protected readonly metadata: EntityMetadata;
  protected readonly columns: string;
  private readonly toEntity: (row: Row) => T;

  constructor(
    protected readonly database: TenantDatabase,
    protected readonly entity: new () => T,
    private readonly cursors: Cursors,
  ) {
    this.metadata = database.dataSource.getMetadata(entity);
    this.columns = this.metadata.columns.map((column) => column.databaseName).join(', ');
    this.toEntity = entityReader(this.metadata, entity);
  }

  /** Conditions begin with the organization: the first of two walls, row security is the second. */
  where(orgId: string): Where {
    return new Where().and('org_id = ?', uuidIn(orgId));
  }

  /**
   * @param tail such as a lock: `for no key update`, or `for share` for a row that must not change. A second update of
   *   a row in one transaction checks its foreign keys again, and would wait for a transaction that locked a parent
   *   `for update`; use that, and `for key share`, only for rows that may be deleted.
   */
  async find(orgId: string, where: Where, tail = ''): Promise<T[]> {
    const text = `select ${this.columns} from ${this.metadata.tableName} ${where.text} ${tail}`;
    return await mapInTurns(await this.database.rows(orgId, text, where.values), this.toEntity);
  }

  async findOne(orgId: string, where: Where, tail = ''): Promise<T | undefined> {
    return (await this.find(orgId, where, tail))[0];
  }

  /**
   * A page by keyset: constant time at any depth of the list. Without a sort, newest first by id; what changed since a
   * time, in the order of change.
   */
  async page(orgId: string, where: Where, request: PageRequest, sortable: Sortable = {}): Promise<Page<T>> {
    const { limit = defaultLimit, cursor, sort = where.isSince ? 'updatedAt' : '-createdAt' } = request;
    const direction = sort.startsWith('-') ? 'desc' : 'asc';
    const name = sort.replace('-', '');
    const key = sortable[name]?.[direction] ?? (name === 'updatedAt' ? 'updated_at' : undefined);
    const list = JSON.stringify([this.metadata.tableName, ...where.identity, sort]);
    const compare = direction === 'desc' ? '<' : '>';
    const [sortKey, id] = cursor === undefined ? [] : this.cursors.read(cursor, list);
    where.showPage(id ? uuidIn(id) : null, limit + 1);
    if (id && key) where.and(`(${key}, id) ${compare} (?, ?)`, sortKey, uuidIn(id));
    else if (id) where.and(`id ${compare} ?`, uuidIn(id));
    if (where.isSince) {
      const { until, from } = await this.database.settled(orgId);
      where.and('(updated_at <= ?::timestamptz or updated_at > ?::timestamptz)', until, from);
    }
    const order = key ? `order by ${key} ${direction}, id ${direction}` : `order by id ${direction}`;
    const text = this.pageText(
      where,
      key ? `${this.columns}, (${key})::text as sort_key` : this.columns,
      order,
      limit + 1,
    );
    const rows =
      where.search && !where.customPlan
        ? await this.database.rowsByOnePlan(orgId, text, where.values)
        : await this.database.rows(orgId, text, where.values, where.customPlan);
    const items = rows.slice(0, limit).map(this.toEntity);
    if (rows.length <= limit) return { items, limit, nextCursor: null };
    const last = rows[limit - 1] as Row;
    const position = [(last.sort_key as string | undefined) ?? null, String(last.id).replaceAll('-', '')] as const;
    return { items, limit, nextCursor: this.cursors.write([...position], list) };
  }

  /** How many rows meet each condition, up to 1,001: further ones would take long to count. */
  async counts<Name extends string>(
    orgId: string,
    where: Where,
    conditions: Readonly<Record<Name, string>>,
  ): Promise<Record<Name, number>> {
    const { tableName } = this.metadata;
    const counted = Object.entries(conditions).map(
      ([name, condition]) =>
        `(select count(*)::integer from (select 1 from ${tableName} ${where.text} and ${condition as string} limit 1001) one) as "${name}"`,
    );
    const [row] = await this.database.rows(orgId, `select ${counted.join(', ')}`, where.values);
    return row as Record<Name, number>;
  }

  private pageText({ text, search, idsFirst }: Where, columns: string, order: string, rows: number): string {
    const { tableName } = this.metadata;
    const all = `select ${columns} from ${tableName}`;
    if (search) return inSteps(tableName, `${all} ${text}`, search, order, rows);
    const page = `${text} ${order} limit ${rows}`;
    return idsFirst
      ? `${all} where org_id = $1 and id = any(array(select id from ${tableName} ${page})) ${order}`
      : `${all} ${page}`;
  }
}
