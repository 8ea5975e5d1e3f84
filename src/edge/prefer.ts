/** How long a request may have its answer wait, in seconds. */
export const longestWaitSeconds = 30;

/** The seconds of `Prefer: wait=N` (RFC 7240, section 4.3), 30 at most; a preference that is none is passed over. */
export function preferredWait(prefer = ''): number | undefined {
  const [, seconds] = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(prefer) ?? [];
  return seconds === undefined ? undefined : Math.min(Number(seconds), longestWaitSeconds);
}
