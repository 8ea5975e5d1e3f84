import type { Shape } from './schema.js';

/** A page of a list: what a handler of a listing returns. */
export interface Page<T> {
  items: T[];
  limit: number;
  nextCursor: string | null;
}

/**
 * What an operation puts out: one record, a list that is whole, a page of one, or records one by one as they come. Only
 * fields of the view's class leave the service.
 */
export interface Output<Out> {
  readonly kind: 'one' | 'many' | 'page' | 'stream';
  readonly view: Shape;
  /** Only for the compiler: what the handler must return. */
  readonly returns?: Out;
}

export const one = <View extends object>(view: new () => View): Output<View> => ({ kind: 'one', view });
export const page = <View extends object>(view: new () => View): Output<Page<View>> => ({ kind: 'page', view });
export const many = <View extends object>(view: new () => View): Output<View[]> => ({ kind: 'many', view });

/** What comes for as long as the client listens; undefined says that nothing came for a moment. REST alone has it. */
export type Stream<T> = AsyncIterable<T | undefined>;
export const stream = <View extends object>(view: new () => View): Output<Stream<View>> => ({ kind: 'stream', view });
