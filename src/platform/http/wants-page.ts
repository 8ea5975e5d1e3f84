import type { Request } from 'express';

/** Paths that only programs request; they expect the envelope or the format of their RFC. */
const forPrograms = /^\/(?:api\/v1|mcp|\.well-known|(?:global\/)?oauth\/(?:token|register|revoke|jwks))(?:\/|$)/;

/**
 * Whether the request comes from a person in a browser: Accept names text/html itself (programs and curl send only a
 * wildcard), and there is no program's credential.
 */
export const wantsPage = ({ headers, path }: Pick<Request, 'headers' | 'path'>): boolean =>
  headers.authorization === undefined &&
  (headers.accept ?? '').split(',').some((range) => range.trim().split(';')[0]?.toLowerCase() === 'text/html') &&
  !forPrograms.test(path);
