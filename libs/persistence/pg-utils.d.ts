/** The part of pg's internals (8.23.1, which has no types for them) that batch.ts uses. */
declare module 'pg/lib/utils.js' {
  /** What is sent for a value. @throws Error when it cannot be sent. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
