const probes = new Set(['/healthz', '/readyz']);

/** Probes come every few seconds and say nothing new. */
export const isProbe = (path: string): boolean => probes.has(path);
