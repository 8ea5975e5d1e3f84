import type { operations } from './generated/schema.js';

export type OperationName = keyof operations;

type Parameters<N extends OperationName> = operations[N]['parameters'];
type Path<N extends OperationName> = Parameters<N> extends { path: infer Fields } ? Fields : unknown;
type Query<N extends OperationName> = [NonNullable<Parameters<N>['query']>] extends [never]
  ? unknown
  : NonNullable<Parameters<N>['query']>;
type Body<N extends OperationName> = operations[N] extends { requestBody?: infer Given }
  ? NonNullable<Given> extends { content: { 'application/json': infer Fields } }
    ? Fields
    : unknown
  : unknown;
type Plain<T> = { [Field in keyof T]: T[Field] };

/** What an operation takes: the fields of its path, query and body in one object. */
export type Input<N extends OperationName> = Plain<Path<N> & Query<N> & Body<N>>;

type Content<N extends OperationName> = {
  [Status in keyof operations[N]['responses'] & (200 | 201)]: operations[N]['responses'][Status] extends {
    content: { 'application/json': infer Json };
  }
    ? Json
    : never;
}[keyof operations[N]['responses'] & (200 | 201)];

/** What an operation returns. */
export type Answer<N extends OperationName> = Content<N>;

/** One entry of the list that an operation returns. */
export type Item<N extends OperationName> = Content<N> extends { data: (infer Entry)[] } ? Entry : never;

export interface CallOptions {
  /** Stops the call, its retries and its waits. */
  signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /** Default: a new key for each call, so that its retries are applied once. Pass your own to retry after a restart. */
  idempotencyKey?: string;
  /** Change the record only if it still has this `version`. */
  ifMatch?: number;
  /** Only show what the write would do. */
  dryRun?: boolean;
  /** For work that takes long: wait this long for its result, at most 30. */
  waitSeconds?: number;
}

/** The input may be left out if all of its fields may. */
type Call<In, Options, Out> = object extends In
  ? (input?: In, options?: Options) => Out
  : (input: In, options?: Options) => Out;

export type Read<N extends OperationName> = Call<Input<N>, CallOptions, Promise<Answer<N>>>;
export type Write<N extends OperationName> = Call<Input<N>, WriteOptions, Promise<Answer<N>>>;
/** One page, or with `.all` the entries of every page. */
export type List<N extends OperationName> = Read<N> & {
  all: Call<Input<N>, CallOptions, AsyncGenerator<Item<N>, void>>;
};
/** Any number of items: sent in pieces of at most 200, with the results in the order of the items. */
export type Bulk<N extends OperationName> = Write<N>;
/** Values as the service sends them: `Entry` is the type of each. */
export type Stream<N extends OperationName, Entry> = Call<Input<N>, CallOptions, AsyncGenerator<Entry, void>>;
