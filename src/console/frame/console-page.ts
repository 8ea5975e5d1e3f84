import type { ComponentChildren } from 'preact';
import type { Operation } from '#operations';
import type { Permission } from '../../platform/callers/permissions.js';
import type { Fields } from '../../platform/pages/forms.service.js';
import type { Visit } from './visit.js';

/** A page of the console: where it is, what it asks and shows, and the operations that its forms may call. */
export interface ConsolePage {
  /** Below `/console/{slug}/`, with variable parts: `webhooks/:endpointId`. */
  readonly path: string;
  readonly title: string;
  /** People without it find no link to the page; the operations refuse them in any case. */
  readonly needs?: Permission;
  /** Replaced when something happens in the organization. */
  readonly isLive?: boolean;
  /** Its times are those of each property; on other pages they are in the organization's time zone. */
  readonly isLocal?: boolean;
  readonly forms?: readonly ConsoleForm[];
  show(this: void, visit: Visit): Promise<ComponentChildren> | ComponentChildren;
}

interface FormOptions {
  /** Wants the password or a factor, used within the last ten minutes. */
  readonly isSensitive?: boolean;
  /** The input, where it is not the fields as they are. */
  read?(this: void, fields: Fields, visit: Visit): object | Promise<object>;
  /** Where to continue, below `/console/{slug}/`; otherwise back to the page. */
  next?(this: void, made: { id: string }): string;
  /** The page then knows the record, as `doneTo`. */
  readonly isRemembered?: boolean;
  /** The result in sentences; the page then shows them instead of its usual sentence. */
  outcome?(this: void, data: object): string;
  /** Why it was refused, where the details say more than the message. */
  refusal?(this: void, details: object): string | undefined;
}

/** An operation that a page's forms may call, and the sentence that says that it was done. */
export interface ConsoleForm extends FormOptions {
  readonly operation: Operation;
  readonly done: string;
}

export const form = (operation: Operation, done: string, options: FormOptions = {}): ConsoleForm => ({
  operation,
  done,
  ...options,
});

/** The variable parts of a path, if it is the page's. */
export function matched({ path }: ConsolePage, asked: string): Record<string, string> | undefined {
  const [parts, given] = [path.split('/'), asked.split('/')];
  if (parts.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(given[at] as string);
    else if (part !== given[at]) return undefined;
  }
  return params;
}
