/** The size limit of a report's body. */
export const largestReport = 4_096;

/** The key that a report `{"key": "sk_…"}` shows; undefined for any other body. */
export function keyShownIn(body: Buffer | undefined): string | undefined {
  try {
    const report = JSON.parse(body?.toString('utf8') ?? '') as { key?: unknown } | null;
    return typeof report?.key === 'string' ? report.key : undefined;
  } catch {
    return undefined;
  }
}
