import pg from 'pg';
import type { Json } from './api.js';
import type { FreshDatabase } from './database.js';

/** How a statement reads a table. */
export interface TableScan {
  table: string;
  kind: string;
  /** Whether an index leads to the rows, so that not all of the table is read. */
  isLed: boolean;
  /** Which role sent the statement. */
  role: string;
  statement: string;
}

/**
 * From now on, connections to the database do not read a whole table where an index can be used, and show the plan of
 * each statement in a notice (PostgreSQL, F.3 auto_explain).
 */
export async function showPlans({ url }: FreshDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select current_database() as name');
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    enable_seqscan: 'off',
    plan_cache_mode: 'force_custom_plan',
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

function scansIn(node: Json): Pick<TableScan, 'table' | 'kind' | 'isLed'>[] {
  const { 'Node Type': kind, 'Relation Name': table, Plans: children = [] } = node;
  const isLed = Boolean(node['Index Cond'] ?? node['Recheck Cond'] ?? node['Order By'] ?? node['TID Cond']);
  const own = table && kind !== 'ModifyTable' ? [{ table, kind, isLed }] : [];
  return [...own, ...(children as Json[]).flatMap(scansIn)];
}
