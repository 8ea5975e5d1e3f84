import type { Request } from 'express';

/** Where programs alone ask, and read the envelope or what their RFC defines. */
const forPrograms = /^\/(?:api\/v1|mcp|\.well-known|(?:global\/)?oauth\/(?:token|register|revoke|jwks))(?:\/|$)/;

/**
 * Whether a person in a browser asks: Accept names text/html itself, since programs and curl send only a wildcard, and
 * there is no credential of a program.
 */
export const wantsPage = ({ headers, path }: Pick<Request, 'headers' | 'path'>): boolean =>
  headers.authorization === undefined &&
  (headers.accept ?? '').split(',').some((range) => range.trim().split(';')[0]?.toLowerCase() === 'text/html') &&
  !forPrograms.test(path);
