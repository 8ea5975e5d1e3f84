import type { Output } from './output.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Effect = 'read' | 'write' | 'destructive';

/**
 * Whose records an operation is about, and so what becomes of a caller that is limited to some properties:
 * - `property`: records at properties. What lies beyond the limit is not visible, so it is 404.
 * - `record`: records that have a property limit of their own (members, API keys, approvals of applications). Every
 *   caller may read them; the service lets a limited caller change those whose limit lies within its own, and refuses
 *   the others with 403 ORGANIZATION_WIDE.
 * - `organization`: what holds at every property (settings, roles, templates, workflows). Every caller may read it; the
 *   edge refuses a limited caller that writes or reveals it, with 403 ORGANIZATION_WIDE.
 */
export type Reach = 'property' | 'record' | 'organization';

export interface OperationSpec<In extends object, Out> {
  /** The specification's name where it has one; also the tool's, the operationId and the audit action. */
  name: string;
  /** Method and path below /api/v1, parameters in braces: `POST /tasks/{taskId}/complete`. */
  route: `${Method} /${string}`;
  /** What a credential must carry; left out where any credential may ask. */
  scope?: string;
  effect: Effect;
  reach: Reach;
  title: string;
  /** One or two sentences for a developer and an assistant; title, name and description stay under 100 tokens. */
  description: string;
  input: new () => In;
  output: Output<Out>;
  /** 201 where something is made, 202 where it may go on behind the answer (see `follow`), else 200. */
  status?: 200 | 201 | 202;
  /**
   * Of what may go on behind the answer: the path below /api/v1 where it is followed, told as `Location` with 202;
   * undefined once it is done, which is answered with 200.
   */
  follow?(this: void, result: Out): string | undefined;
  /** It asks a language model, so it counts against the organization's budget of such calls (specification, Limits). */
  modelBacked?: boolean;
  /** The answer shows a secret once: its idempotency record is encrypted, and the tool is marked. */
  showsSecret?: boolean;
  /** How large the body may be; 1 MiB where it is left out. */
  maxBodyBytes?: number;
  /**
   * `request` (the default of what writes): one transaction around the handler, which the idempotency record joins.
   * `own`: the handler calls out and keeps its own short transactions, none of them open during the call.
   */
  transaction?: 'request' | 'own';
  /** With `own`: in how many seconds it surely answers; after that a retry takes over. 60 where it is left out. */
  answersWithinSeconds?: number;
}

/** An operation is a value: what can be asked, apart from who may ask and what happens. */
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

/** Reads take their other input from the query, writes from the body (both beside the path). */
export const takesQuery = ({ method }: Operation): boolean => method === 'GET' || method === 'DELETE';
