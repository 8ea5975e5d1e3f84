import { type Answer, type Issue, ServiceError } from '#errors';
import type { Fields } from '../../platform/pages/forms.service.js';
import type { ConsoleForm } from './console-page.js';
import { sentenceFor } from './sentences.js';
import { typedInput } from './typed-input.js';
import type { Refused, Visit } from './visit.js';

/** The input that a form stands for, or the error if what was typed stands for none. */
export async function inputOf({ operation, read }: ConsoleForm, fields: Fields, visit: Visit): Promise<object> {
  if (!read) return typedInput(operation, fields, visit.membership.timezone);
  try {
    return await read(fields, visit);
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return error;
    throw error;
  }
}

export type Refusing = ServiceError | (Answer & { code: string });

/** What the page says about a form that was refused. */
export function refusalOf(error: Refusing, { operation, refusal }: ConsoleForm, typed: Fields): Omit<Refused, 'stays'> {
  const { message, details } = 'value' in error ? error.value.error : error;
  const issues = (details?.issues ?? []) as Issue[];
  const problems = Object.fromEntries(issues.map(({ path, message: problem }) => [fieldOf(path, typed), problem]));
  const said = (details && refusal?.(details)) ?? sentenceFor(error) ?? message;
  return { operation: operation.name, message: issues.length > 0 ? '' : said, problems, typed };
}

/** The ids of the stays that are in the way. */
export function staysInTheWay(error: Refusing): string[] {
  const { details } = 'value' in error ? error.value.error : error;
  return ((details?.reservations ?? []) as { id: string }[]).map(({ id }) => id);
}

/** A form has fields of an object in the input by their own names. */
const fieldOf = (path: Issue['path'], typed: Fields): string =>
  String(path.findLast((name) => String(name) in typed) ?? path[0] ?? '');
