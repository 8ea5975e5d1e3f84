import type { ComponentChildren } from 'preact';
import { type Issue, ServiceError } from '#errors';

/** The messages of a form for its fields, by the names in the issues. */
export type Sentences = Readonly<Record<string, string>>;

/** An error for a person: for a form, what is wrong with its fields. */
export function messageOf({ message, details }: ServiceError, sentences: Sentences = {}): string {
  const issues = (details.issues ?? []) as Issue[];
  return issues.length > 0
    ? issues.map((issue) => sentences[issue.path.join('.')] ?? issue.message).join(' ')
    : message;
}

/**
 * Performs the action of a form. Errors that the form can correct (its fields, a conflict) are shown in it; other
 * errors are an error page.
 */
export async function refusalOf(work: () => Promise<unknown>, sentences?: Sentences): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && [400, 403, 409].includes(error.status)) return messageOf(error, sentences);
    throw error;
  }
}

/** An error to correct, which screen readers announce immediately. */
export const Problem = ({ children }: { children?: ComponentChildren }) =>
  children ? (
    <p class="notice" role="alert">
      {children}
    </p>
  ) : null;

/** Something that worked. */
export const Done = ({ children }: { children?: ComponentChildren }) =>
  children ? (
    <p class="notice good" role="status">
      {children}
    </p>
  ) : null;
