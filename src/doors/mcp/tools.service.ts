import { LRUCache } from 'lru-cache';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Caller } from '#access';
import type { RequestContext } from '#context';
import type { Answer } from '#errors';
import { Catalogue, isWithinReach, type Operation, OperationCalls } from '#operations';
import { toolDefinition } from './tool-definitions.js';
import type { ToolSelection } from './tool-selection.js';

export interface Tool {
  readonly operation: Operation;
  /** The names that select it: its subject, and the folder of its subject. */
  readonly toolsets: readonly string[];
  /** Its entry of tools/list, as JSON. */
  readonly json: string;
  /** Runs the operation's guards, interceptors and handler, exactly those that REST runs. */
  readonly run: (context: RequestContext) => Promise<Answer>;
}

/** How many different lists are cached: one for each set of permissions, reach and selection. */
const keptLists = 100;

/** Every operation as a tool, created once at startup. */
@Injectable()
export class ToolsService implements OnApplicationBootstrap {
  private readonly tools = new Map<string, Tool>();
  private readonly lists = new LRUCache<string, Buffer>({ max: keptLists });

  constructor(
    private readonly catalogue: Catalogue,
    private readonly calls: OperationCalls,
  ) {}

  onApplicationBootstrap(): void {
    for (const handled of this.catalogue.all()) {
      const { operation, feature, folder } = handled;
      if (operation.output.kind === 'stream') continue;
      const json = JSON.stringify(toolDefinition(handled));
      this.tools.set(operation.name, { operation, toolsets: [feature, folder], json, run: this.calls.of(handled) });
    }
  }

  get toolsets(): ReadonlySet<string> {
    return new Set([...this.tools.values()].flatMap(({ toolsets }) => toolsets));
  }

  find(name: string, selection: ToolSelection): Tool | undefined {
    const tool = this.tools.get(name);
    return tool && selection.includes(tool) ? tool : undefined;
  }

  /**
   * The tools that a caller may use, as the bytes of a JSON array in the order of their names. A tool for which a
   * person only lacks a granted scope is listed, so that the client can request the scope. Tools beyond a property
   * limit are not listed, because nobody can request those.
   */
  list(caller: Caller, selection: ToolSelection): Buffer {
    const permissions = caller.livePermissions ?? caller.permissions;
    const reach = caller.propertyIds ? 'some properties' : 'every property';
    const key = `${[...permissions].sort().join(' ')} ${reach} ${selection.key}`;
    let list = this.lists.get(key);
    if (list === undefined) {
      const visible = [...this.tools.values()].filter(
        (tool) =>
          selection.includes(tool) &&
          (!tool.operation.scope || permissions.has(tool.operation.scope)) &&
          isWithinReach(caller, tool.operation),
      );
      list = Buffer.from(`[${visible.map(({ json }) => json).join(',')}]`);
      this.lists.set(key, list);
    }
    return list;
  }
}
