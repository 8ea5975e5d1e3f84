import { ServiceError } from '#errors';

export const noSuchPath = (): ServiceError =>
  new ServiceError({ status: 404, message: 'Not found. /openapi.json lists all addresses.' });

/** Outside of these paths, a request without a credential gets 404 instead of a request to authenticate. */
export const isUnguardedPath = (path: string): boolean => !/^\/(api\/v1|mcp)(\/|$)/.test(path);
