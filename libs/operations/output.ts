import type { Shape } from './schema.js';

/** A page of a list: what a handler of a listing returns. */
export interface Page<T> {
  items: T[];
  limit: number;
  nextCursor: string | null;
}

/**
 * What an operation puts out: one record, a list that is whole, a page of one, all of one line by line, or records one by
 * one as they come. Only fields of the view's class leave the service.
 */
export interface Output<Out> {
  readonly kind: 'one' | 'many' | 'page' | 'lines' | 'stream';
  readonly view: Shape;
  /** Only for the compiler: what the handler must return. */
  readonly returns?: Out;
}

export const one = <View extends object>(view: new () => View): Output<View> => ({ kind: 'one', view });
export const page = <View extends object>(view: new () => View): Output<Page<View>> => ({ kind: 'page', view });
export const many = <View extends object>(view: new () => View): Output<View[]> => ({ kind: 'many', view });

/** All of a list: REST has a JSON value on each line, MCP a page. */
export interface Lines<T> {
  all(): AsyncIterable<T>;
  page(): Promise<Page<T>>;
}
export const lines = <View extends object>(view: new () => View): Output<Lines<View>> => ({ kind: 'lines', view });

/** What comes for as long as the client listens; undefined says that nothing came for a moment. REST alone has it. */
export type Stream<T> = AsyncIterable<T | undefined>;
export const stream = <View extends object>(view: new () => View): Output<Stream<View>> => ({ kind: 'stream', view });
