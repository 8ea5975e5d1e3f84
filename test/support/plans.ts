import pg from 'pg';
import type { Json } from './api.js';
import type { FreshDatabase } from './database.js';

/** How a statement reads a table. */
export interface TableScan {
  table: string;
  kind: string;
  /** Whether an index leads to the rows, so that not all of the table is read. */
  isLed: boolean;
  /** Rows that were read, those included that a condition excluded; 0 unless plans are shown with what happened. */
  rows: number;
  /** Which role sent the statement. */
  role: string;
  statement: string;
}

/** PostgreSQL reads a whole table only where no index can be used. */
export const couldRead = { enable_seqscan: 'off', plan_cache_mode: 'force_custom_plan' };

/** Plans are those that the service's connections keep, those within functions too, and say how many rows each step read. */
export const hasRead = {
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
};

/**
 * From now on, connections to the database show the plan of each statement in a notice (PostgreSQL, F.3 auto_explain).
 */
export async function showPlans({ url }: FreshDatabase, how: typeof couldRead | typeof hasRead): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select current_database() as name');
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    ...how,
  };
  for (const [name, value] of Object.entries(settings))
    await client.query(`alter database ${rows[0].name} set ${name} = '${value}'`);
  await client.end();
}

/** Collects the plans that are shown to this process, until mocks are restored. */
export function collectScans(): TableScan[] {
  const scans: TableScan[] = [];
  const emit = pg.Client.prototype.emit as (...args: unknown[]) => boolean;
  jest.spyOn(pg.Client.prototype, 'emit').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [event, notice] = args as [string, { message: string }];
    const [, plan] = (event === 'notice' && / plan:\n(.*)$/s.exec(notice.message)) || [];
    if (plan) {
      const { 'Query Text': statement, Plan: root } = JSON.parse(plan) as Json;
      scans.push(...scansIn(root).map((scan) => ({ ...scan, role: roleOf(this), statement })));
    }
    return emit.apply(this, args);
  });
  return scans;
}

const roleOf = (client: pg.Client): string =>
  /role=(\w+)/.exec((client as unknown as Json).connectionParameters.options)?.[1] ?? 'none';

function scansIn(node: Json): Pick<TableScan, 'table' | 'kind' | 'isLed' | 'rows'>[] {
  const { 'Node Type': kind, 'Relation Name': table, Plans: children = [] } = node;
  const isLed = Boolean(node['Index Cond'] ?? node['Recheck Cond'] ?? node['Order By'] ?? node['TID Cond']);
  const own = table && kind !== 'ModifyTable' ? [{ table, kind, isLed, rows: rowsOf(node) }] : [];
  return [...own, ...(children as Json[]).flatMap(scansIn)];
}

const rowsOf = (node: Json): number =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0);
