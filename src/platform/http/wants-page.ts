import type { Request } from 'express';

/** Paths that only programs request; they expect the envelope or the format of their RFC. */
const forPrograms = /^\/(?:api\/v1|mcp|\.well-known|(?:global\/)?oauth\/(?:token|register|revoke|jwks))(?:\/|$)/;

/**
 * Whether a person in a browser asks: Accept names text/html itself, since programs and curl send only a wildcard, and
 * there is no credential of a program.
 */
export const wantsPage = ({ headers, path }: Pick<Request, 'headers' | 'path'>): boolean =>
  headers.authorization === undefined &&
  (headers.accept ?? '').split(',').some((range) => range.trim().split(';')[0]?.toLowerCase() === 'text/html') &&
  !forPrograms.test(path);
