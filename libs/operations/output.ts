import type { Shape } from './shape.js';

/** A page of a list: the result of a handler that lists. */
export interface Page<T> {
  items: T[];
  limit: number;
  nextCursor: string | null;
}

/** A record whose lists are paged together: the result of a handler that shows several lists in one order. */
export interface Sections<T> {
  record: T;
  limit: number;
  nextCursor: string | null;
}

/**
 * The output of an operation: one record, one with its outcome, a whole list, either of these depending on the input, a
 * page, lists that are paged together, a list line by line, or a stream of records. Only fields of the view's class
 * leave the service.
 */
export interface Output<Out> {
  readonly kind: 'one' | 'saved' | 'many' | 'either' | 'page' | 'sections' | 'lines' | 'stream';
  readonly view: Shape;
  /** For the compiler only: the type that the handler must return. */
  readonly returns?: Out;
}

export const one = <View extends object>(view: new () => View): Output<View> => ({ kind: 'one', view });
export const savedOutcomes = ['created', 'changed', 'unchanged', 'reinstated', 'cancelled'] as const;

/** A record that another system keeps here under its own id, and what its request did. */
export interface Saved<T> {
  record: T;
  outcome: (typeof savedOutcomes)[number];
  /** Of the content that the system saved last. */
  contentHash: string;
}
export const saved = <View extends object>(view: new () => View): Output<Saved<View>> => ({ kind: 'saved', view });
export const page = <View extends object>(view: new () => View): Output<Page<View>> => ({ kind: 'page', view });
export const either = <View extends object>(view: new () => View): Output<View | View[]> => ({ kind: 'either', view });
export const sections = <View extends object>(view: new () => View): Output<Sections<View>> => ({
  kind: 'sections',
  view,
});
export const many = <View extends object>(view: new () => View): Output<View[]> => ({ kind: 'many', view });

/** A whole list: REST returns one JSON value per line, MCP a page. */
export interface Lines<T> {
  all(): AsyncIterable<T>;
  page(): Promise<Page<T>>;
}
export const lines = <View extends object>(view: new () => View): Output<Lines<View>> => ({ kind: 'lines', view });

/** A stream for as long as the client listens; undefined means that nothing happened for a moment. REST only. */
export type Stream<T> = AsyncIterable<T | undefined>;
export const stream = <View extends object>(view: new () => View): Output<Stream<View>> => ({ kind: 'stream', view });
