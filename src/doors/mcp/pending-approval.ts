import type { Answer } from '#errors';

/** A request that waits for a person, as a call of it is answered. */
export interface Pending {
  readonly id: string;
  readonly summary: string;
  readonly url: string;
}

export function pendingIn({ status, code, headers, value }: Answer): Pending | undefined {
  if (status !== 202 || code !== undefined || !headers.Location?.startsWith('/api/v1/approvals/')) return undefined;
  return (value as { data: Pending }).data;
}
