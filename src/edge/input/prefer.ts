/** How long a request may ask its response to wait, in seconds. */
export const longestWaitSeconds = 30;

/** The seconds of `Prefer: wait=N` (RFC 7240, section 4.3), at most 30; an invalid preference is ignored. */
export function preferredWait(prefer = ''): number | undefined {
  const [, seconds] = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(prefer) ?? [];
  return seconds === undefined ? undefined : Math.min(Number(seconds), longestWaitSeconds);
}
