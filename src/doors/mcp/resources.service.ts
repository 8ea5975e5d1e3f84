import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { RequestContext } from '#context';
import type { Answer } from '#errors';
import { type Tool, ToolsService } from './tools.service.js';

/** `task://{taskId}` → its scheme and its variable, which is a field of the operation's input. */
const template = /^([a-z]+):\/\/\{(\w+)\}$/;
const mimeType = 'application/json';

interface Link {
  readonly scheme: string;
  readonly variable: string;
  readonly tool: Tool;
}

export interface ResourceTemplate extends Record<string, unknown> {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
}

/** Records as resources, which results link to. An operation says of which resource it returns the record. */
@Injectable()
export class ResourcesService {
  private known?: ReadonlyMap<string, Link>;

  constructor(private readonly tools: ToolsService) {}

  /** The kinds of resources that a caller may read. */
  templates(caller: Caller): ResourceTemplate[] {
    const usable = new Set(this.tools.usable(caller, { allows: () => true }).map(({ operation }) => operation));
    return [...this.links.values()]
      .filter(({ tool }) => usable.has(tool.operation))
      .map(({ scheme, tool: { operation } }) => {
        return { uriTemplate: operation.resource as string, name: scheme, title: operation.title, mimeType };
      });
  }

  /** Reads a resource as the caller: the answer of its operation; undefined where there is no such kind. */
  async read(uri: string, { requestId, logId, caller }: RequestContext): Promise<Answer | undefined> {
    const [, scheme = '', value = ''] = /^([a-z]+):\/\/(.+)$/.exec(uri) ?? [];
    const link = this.links.get(scheme);
    if (!link) return undefined;
    const body = { [link.variable]: value };
    const context = new RequestContext('mcp', requestId, logId, () => Promise.resolve({ path: {}, query: {}, body }));
    context.caller = caller;
    return await link.tool.run(context);
  }

  /** The links to the record that an answer holds, and to those that it names, as JSON after other content. */
  linksOf({ code, value }: Answer): string {
    if (code !== undefined || !('data' in value) || Array.isArray(value.data)) return '';
    const record = value.data as Readonly<Record<string, unknown>>;
    const links = [...this.links.values()].flatMap(({ scheme, variable }) => {
      const isOwn = typeof record.id === 'string' && record.id.startsWith(`${scheme}_`);
      const named = isOwn ? (record[variable] ?? record.id) : variable === `${scheme}Id` && record[variable];
      const name = isOwn ? (record.name ?? scheme) : scheme;
      return typeof named === 'string' ? [{ type: 'resource_link', uri: `${scheme}://${named}`, name, mimeType }] : [];
    });
    return links.map((link) => `,${JSON.stringify(link)}`).join('');
  }

  private get links(): ReadonlyMap<string, Link> {
    this.known ??= new Map(
      this.tools.all.flatMap((tool): [string, Link][] => {
        const [, scheme, variable] = template.exec(tool.operation.resource ?? '') ?? [];
        return scheme && variable ? [[scheme, { scheme, variable, tool }]] : [];
      }),
    );
    return this.known;
  }
}
