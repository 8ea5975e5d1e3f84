import { type ErrorEnvelope, errorTypes } from '#errors';
import { Catalogue, type Operation, takesQuery } from '#operations';
import { apiOf, type Json } from './api.js';
import { mcpOf } from './mcp.js';
import type { Service } from './start-app.js';

export interface DoorReply {
  /** The REST status; over MCP the one that the result represents. */
  status: number;
  body: Json;
}

export interface Door {
  /** Calls an operation by its name, with its whole input in one object. */
  ask(operation: string, input?: object, options?: { idempotencyKey?: string }): Promise<DoorReply>;
  as(key: string | undefined): Door;
}

export const doorNames = ['rest', 'mcp'] as const;

/** Both doors of a service, for `describe.each(doorNames)`. */
export function doors(service: Service): Record<(typeof doorNames)[number], Door> {
  return { rest: restDoor(service, service.key), mcp: mcpDoor(service, service.key) };
}

function restDoor(service: Service, key: string | undefined): Door {
  const api = apiOf(service.url, key);
  return {
    ask: async (name, input = {}, { idempotencyKey } = {}) => {
      const { method, path, body } = requestFor(operationNamed(service, name), input);
      const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      return await api.send(method, path, body, headers);
    },
    as: (other) => restDoor(service, other),
  };
}

function mcpDoor(service: Service, key: string | undefined): Door {
  const mcp = mcpOf(service.url, key);
  return {
    ask: async (name, input = {}, { idempotencyKey } = {}) => {
      const operation = operationNamed(service, name);
      const meta = idempotencyKey === undefined ? {} : { 'property-operations/idempotencyKey': idempotencyKey };
      const { status, isError, body } = await mcp.call(name, input, { meta });
      if (status !== 200) return { status, body };
      return { status: isError ? statusOf(body as ErrorEnvelope) : statusOfResult(operation, body), body };
    },
    as: (other) => mcpDoor(service, other),
  };
}

function operationNamed(service: Service, name: string): Operation {
  const found = service.app
    .get(Catalogue)
    .all()
    .find(({ operation }) => operation.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found.operation;
}

/** The REST request of an operation. */
export function requestFor(operation: Operation, input: object): { method: string; path: string; body?: object } {
  const { method } = operation;
  const { path, rest } = addressed(operation, input);
  if (takesQuery(operation)) return { method, path: path + queryOf(rest) };
  return { method, path, ...(Object.keys(rest).length > 0 && { body: rest }) };
}

/** The path with its parameters filled in, and the rest of the input. */
function addressed({ path, pathParameters }: Operation, input: object): { path: string; rest: object } {
  const rest: Record<string, unknown> = { ...input };
  let filled = path;
  for (const name of pathParameters) {
    filled = filled.replace(`{${name}}`, encodeURIComponent(String(rest[name])));
    delete rest[name];
  }
  return { path: filled, rest };
}

function queryOf(input: object): string {
  const pairs = Object.entries(input).map(([name, value]) => [name, String(value)]);
  return pairs.length > 0 ? `?${new URLSearchParams(pairs as [string, string][]).toString()}` : '';
}

/** A response that is followed elsewhere is 202 only while it is in progress. */
function statusOfResult({ status, follow, output }: Operation, body: Json): number {
  if (output.kind === 'saved') return body.meta.outcome === 'created' ? 201 : 200;
  return status === 202 && !follow?.(body.data) ? 200 : status;
}

const statusOf = ({ error }: ErrorEnvelope): number =>
  errorTypes.find(({ type }) => type === error.type)?.status ?? 500;
