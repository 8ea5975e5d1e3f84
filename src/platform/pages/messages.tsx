import type { ComponentChildren } from 'preact';
import { type Issue, ServiceError } from '#errors';

/** What a form says of its fields, by the name that the issue has for them. */
export type Sentences = Readonly<Record<string, string>>;

/** A refusal in words for a person: of a form, what is wrong with its fields. */
export function messageOf({ message, details }: ServiceError, sentences: Sentences = {}): string {
  const issues = (details.issues ?? []) as Issue[];
  return issues.length > 0
    ? issues.map((issue) => sentences[issue.path.join('.')] ?? issue.message).join(' ')
    : message;
}

/**
 * Runs what a form asks for. What the form itself can put right (its fields, a conflict) comes back as a sentence to
 * show in it; everything else is an error page.
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

/** Something to put right, read out at once. */
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
