import { LRUCache } from 'lru-cache';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Caller } from '#access';
import type { RequestContext } from '#context';
import type { Answer } from '#errors';
import { Catalogue, isWithinReach, type Operation, OperationCalls } from '#operations';
import { schemaIn } from '../../platform/callers/permissions.js';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { byNameTools } from './by-name-tools.js';
import { outputSchemaOf, type ToolDefinition, toolDefinition } from './tool-definitions.js';
import type { ToolSelection } from './tool-selection.js';
import { toolsetsOf } from './toolsets.js';

export interface Tool {
  readonly operation: Operation;
  /** The names that select it. */
  readonly toolsets: readonly string[];
  /** Its entry of tools/list, as JSON. */
  readonly json: string;
  /** Runs the operation's guards, interceptors and handler, exactly those that REST runs. */
  readonly run: (context: RequestContext) => Promise<Answer>;
}

/** How many different lists are cached: one for each set of permissions, reach and selection. */
const keptLists = 100;

/** Every operation as a tool, created once at startup: those of a usual day first, then the others, by name. */
@Injectable()
export class ToolsService implements OnApplicationBootstrap {
  private readonly tools = new Map<string, Tool>();
  /** The names that select tools. */
  readonly toolsets = new Set<string>();
  private readonly lists = new LRUCache<string, Buffer>({ max: keptLists });
  /** A key has the same set of scopes with each request. */
  private readonly keys = new WeakMap<ReadonlySet<string>, string>();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly calls: OperationCalls,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const handled = this.catalogue.all().filter(({ operation }) => operation.output.kind !== 'stream');
    const { true: everyday = [], false: others = [] } = Object.groupBy(handled, ({ operation }) =>
      operation.everyday ? 'true' : 'false',
    );
    for (const one of [...everyday, ...others]) {
      const { operation } = one;
      const json = JSON.stringify(this.definitionOf(operation));
      const tool = { operation, toolsets: toolsetsOf(one), json, run: this.calls.of(one) };
      this.tools.set(operation.name, tool);
      for (const name of tool.toolsets) this.toolsets.add(name);
    }
  }

  definitionOf(operation: Operation): ToolDefinition {
    return schemaIn(this.config.environment, toolDefinition(operation));
  }

  get all(): Tool[] {
    return [...this.tools.values()];
  }

  named(name: string): Tool | undefined {
    return this.tools.get(name);
  }

  /** The tool that an address lists under a name. */
  find(name: string, selection: ToolSelection): Tool | undefined {
    const tool = this.tools.get(name);
    return tool && selection.includes(tool) ? tool : undefined;
  }

  /**
   * The tools that a caller may use at an address, listed there or not. This includes a tool for which a person only
   * lacks a granted scope, so that the client can request the scope, but none beyond a property limit, because nobody
   * can request those.
   */
  usable(caller: Caller, { allows }: Pick<ToolSelection, 'allows'>): Tool[] {
    const permissions = permissionsOf(caller);
    return this.all.filter(
      ({ operation }) =>
        allows(operation) && (!operation.scope || permissions.has(operation.scope)) && isWithinReach(caller, operation),
    );
  }

  /** The list for a caller, as the bytes of a JSON array. */
  list(caller: Caller, selection: ToolSelection): Buffer {
    const reach = caller.propertyIds ? 'some properties' : 'every property';
    const key = `${this.keyOf(permissionsOf(caller))} ${reach} ${selection.key}`;
    let list = this.lists.get(key);
    if (list === undefined) {
      list = Buffer.from(`[${this.entries(caller, selection).join(',')}]`);
      this.lists.set(key, list);
    }
    return list;
  }

  private keyOf(permissions: ReadonlySet<string>): string {
    let key = this.keys.get(permissions);
    if (key === undefined) this.keys.set(permissions, (key = [...permissions].sort().join(' ')));
    return key;
  }

  private entries(caller: Caller, selection: ToolSelection): string[] {
    const usable = this.usable(caller, selection);
    const listed = usable.filter((tool) => selection.includes(tool));
    const entries = listed.map(({ operation, json }) =>
      selection.outputs
        ? JSON.stringify({ ...this.definitionOf(operation), outputSchema: outputSchemaOf(operation) })
        : json,
    );
    if (!selection.byName) return entries;
    const operations = usable.map(({ operation }) => operation);
    const unlisted = usable.filter((tool) => !listed.includes(tool)).map(({ operation }) => operation);
    return [...byNameTools(unlisted, operations).map((tool) => JSON.stringify(tool)), ...entries];
  }
}

const permissionsOf = ({ livePermissions, permissions }: Caller): ReadonlySet<string> => livePermissions ?? permissions;
