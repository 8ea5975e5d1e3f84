import type { Refusal } from '#errors';
import type { Deprecation } from './deprecation.js';
import type { Inclusion } from './inclusions.js';
import type { Output } from './output.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Effect = 'read' | 'write' | 'destructive';

/**
 * Which records an operation is about, and therefore how it treats a caller that is limited to some properties:
 * - `property`: records at properties. What lies beyond the limit is not visible, so it is 404.
 * - `record`: records that have a property limit of their own (members, API keys, approvals of applications). Every
 *   caller may read them. A limited caller may change those whose limit lies within its own; the service rejects the
 *   others with 403 ORGANIZATION_WIDE.
 * - `organization`: what holds at every property (settings, roles, templates, workflows). Every caller may read it; the
 *   edge refuses a limited caller that writes or reveals it, with 403 ORGANIZATION_WIDE.
 */
export type Reach = 'property' | 'record' | 'organization';

export interface OperationSpec<In extends object, Out> {
  /** The specification's name where it has one; also the tool's, the operationId and the audit action. */
  name: string;
  /** Method and path below /api/v1, with parameters in braces: `POST /tasks/{taskId}/complete`. */
  route: `${Method} /${string}`;
  /** The scope that a credential needs; left out if every credential may call it. */
  scope?: string;
  effect: Effect;
  reach: Reach;
  title: string;
  /** One or two sentences for a developer and an assistant; title, name and description stay under 100 tokens. */
  description: string;
  /** It exists only in test environments, and so in the committed document, which is of one. */
  onlyInTests?: true;
  /** Said in the document, by the tool, and in the headers of each response. */
  deprecated?: Deprecation;
  /** A few words that people use for it and that its other sentences lack; part of the tool's description. */
  askedAs?: string;
  /** One of the operations of a usual day: first in the list of tools, and in the toolset `core`. */
  everyday?: boolean;
  /** The URI template of the records that it returns, for MCP: `task://{taskId}`, whose variable is a field of the input. */
  resource?: `${string}://{${string}}`;
  /** What it may be refused with beside what every operation may be, from its feature's errors. */
  refuses?: readonly Refusal[];
  /**
   * For a read: the records that can be shown beside each record, each with the field that names it. Such an operation
   * takes `include` and `fields`.
   */
  includes?: Partial<Record<Inclusion, string>>;
  input: new () => In;
  /** The input of another operation, which the description names: tools leave out the sentences of its fields. */
  fieldsAs?: new () => object;
  output: Output<Out>;
  /** 201 if something is created, 202 if work may continue in the background (see `follow`), else 200. */
  status?: 200 | 201 | 202;
  /**
   * For work that may continue in the background: the path below /api/v1 where to poll it, sent as `Location` with 202.
   * Undefined once the work is done, which returns 200.
   */
  follow?(this: void, result: Out): string | undefined;
  /** The records in `items` of its input count against the credential's budget of items. */
  countsItems?: boolean;
  /** What else such an input does, so that rules about those operations hold here too: a bulk that archives. */
  carriesOut?(this: void, input: In): readonly Operation[];
  /** It calls a language model, so it counts against the organization's budget (specification, Limits). */
  modelBacked?: boolean;
  /** The field of the response that shows a secret: its idempotency record is encrypted, and the tool is marked. */
  showsSecret?: string;
  /** The maximum size of the body; 1 MiB when left out. */
  maxBodyBytes?: number;
  /**
   * `request` (the default for writes): one transaction around the handler, which the idempotency record joins. `own`:
   * the handler calls another system and uses its own short transactions, none of which is open during the call.
   * `slices`: many records in transactions that are so short that others hardly wait, and that can safely be repeated.
   */
  transaction?: 'request' | 'own' | 'slices';
  /**
   * The handler touches nothing but the organization's database, so that it can be undone and run again. Its idempotency
   * key is then claimed together with its first statement, which saves a round trip.
   */
  repeatable?: boolean;
  /**
   * With `own` or `slices`: the number of seconds after which it has certainly ended, so that a retry may take over; 60
   * by default.
   */
  answersWithinSeconds?: number;
}

/** An operation is a value: what clients can request, separate from who may and from what happens. */
export interface Operation<In extends object = object, Out = unknown> extends Readonly<OperationSpec<In, Out>> {
  readonly method: Method;
  readonly path: string;
  readonly pathParameters: readonly string[];
  readonly status: 200 | 201 | 202;
}

export function operation<In extends object, Out>(spec: OperationSpec<In, Out>): Operation<In, Out> {
  const [method, path] = spec.route.split(' ') as [Method, string];
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  return Object.freeze({ status: 200 as const, ...spec, method, path, pathParameters });
}

/** Whether the handler commits before the response is stored. */
export const hasOwnTransactions = ({ transaction = 'request' }: Operation): boolean => transaction !== 'request';

/** Reads take their other input from the query, writes from the body, in addition to the path. */
export const takesQuery = ({ method }: Operation): boolean => method === 'GET' || method === 'DELETE';
