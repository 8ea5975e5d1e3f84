import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import type { Caller } from '#access';
import type { RequestContext } from '#context';
import type { Operation } from './operation.js';

const OPERATION = 'operation';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** TypeScript compares method parameters bivariantly; comparing for identity makes a wrong handler fail to compile. */
type Fits<H, In, Out> = H extends (...args: infer Args) => Promise<infer Result>
  ? Args extends [] | [Caller] | [Caller, In]
    ? Args extends [unknown, infer Given]
      ? Same<Given, In> extends true
        ? Returns<Result, Out>
        : "the handler must take the operation's input"
      : Returns<Result, Out>
    : 'a handler is (caller, input) => Promise'
  : 'a handler is (caller, input) => Promise';

type Returns<Result, Out> = Result extends Out ? unknown : 'the handler must return what the operation puts out';

const Input = createParamDecorator((_: unknown, host: ExecutionContext) => contextOf(host).input);
const AsCaller = createParamDecorator((_: unknown, host: ExecutionContext) => contextOf(host).caller);

/** The operation that a controller's method handles, if it handles one. */
export const operationOf = (method: object): Operation | undefined =>
  Reflect.getMetadata(OPERATION, method) as Operation | undefined;

/** Our request context: the first argument of a tool call, or stored on the HTTP request. */
export const contextOf = (host: { getArgByIndex(index: number): unknown }): RequestContext => {
  const first = host.getArgByIndex(0) as RequestContext | { context: RequestContext };
  return 'door' in first ? first : first.context;
};

/**
 * Makes a controller's method the handler of an operation. Route, status, OpenAPI entry, MCP tool, scope check, audit
 * name and the method's parameters follow from the operation.
 */
export const Handles =
  <In extends object, Out>(operation: Operation<In, Out>) =>
  <H>(target: object, key: string, descriptor: TypedPropertyDescriptor<H> & Fits<H, In, Out>): void => {
    applyDecorators(
      RequestMapping({ path: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), method: RequestMethod[operation.method] }),
      HttpCode(operation.status),
      SetMetadata(OPERATION, operation),
    )(target, key, descriptor);
    AsCaller()(target, key, 0);
    Input()(target, key, 1);
  };
