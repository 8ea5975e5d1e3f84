const probes = new Set(['/healthz', '/readyz']);

/** Probes arrive every few seconds and add nothing to the log. */
export const isProbe = (path: string): boolean => probes.has(path);
