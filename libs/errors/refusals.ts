import { channel } from 'node:diagnostics_channel';
import type { Answer } from './envelope.js';

/** An error as it is returned or stored. */
export interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: object;
}

/** An error that an operation declares: its factory, or the error as it is stored. */
export type Refusal = ((...facts: never[]) => Refused) | Refused;

/** A refusal for the document: its message has … where it differs each time. */
export interface DescribedRefusal {
  readonly status: number;
  readonly code: string;
  /** Of a known rejection (`details.key`). */
  readonly key?: string;
  readonly message: string;
  /** The class of its details, if they have one (`shaped`). */
  readonly details?: new () => object;
  /** Whether it has details that no class describes. */
  readonly hasOpenDetails?: true;
}

/** Details of a class with described fields, so that the document can type them. */
export const shaped = <T extends object>(shape: new () => T, details: T): T & Record<string, unknown> =>
  Object.assign(new shape(), details) as T & Record<string, unknown>;

/** Stands for each fact that a factory is called with: any field or result of it is itself, and as text it is …. */
const fact: object = new Proxy(() => fact, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '…' : name === Symbol.iterator ? noItems : fact),
});
const noItems = () => [][Symbol.iterator]();
const facts = Array.from({ length: 5 }, () => fact) as never[];

/** The very factory that throws describes the refusal, so that the two cannot differ. */
export function describeRefusal(refusal: Refusal): DescribedRefusal {
  const { status, code, message, details = {} } = typeof refusal === 'function' ? refusal(...facts) : refusal;
  const { key } = details as { key?: string };
  const shape = details.constructor as new () => object;
  return {
    status,
    code,
    message,
    ...(key !== undefined && { key }),
    ...((shape as unknown) !== Object && { details: shape }),
    ...((shape as unknown) === Object &&
      Object.keys(details).some((name) => name !== 'key') && { hasOpenDetails: true }),
  };
}

/** The errors that operations threw, for listeners: tests compare them with those that are declared. */
export const refusals = channel('property-operations:refusals');

/** @param operation absent for a request that reached no operation. */
export function publishRefusal(operation: object | undefined, { status, value }: Answer): void {
  if (operation && refusals.hasSubscribers && 'error' in value) refusals.publish({ operation, status, ...value });
}
