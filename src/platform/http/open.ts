import type { Request } from 'express';
import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import { wantsPage } from './wants-page.js';

const OPEN = 'open';

export interface OpenRoute {
  /** False for responses from memory: documents, assets. */
  needsDatabase: boolean;
  /** False for probes, and for pages that count their visitors themselves. */
  isCounted: boolean;
  /** Only browsers may open it; for programs, the address is unknown. */
  isForBrowsers: boolean;
}

/** Public routes: documents and pages, which need no credential or have their own kind. */
export const Open = ({
  needsDatabase = true,
  isCounted = true,
  isForBrowsers = false,
}: Partial<OpenRoute> = {}): ClassDecorator & MethodDecorator =>
  SetMetadata(OPEN, { needsDatabase, isCounted, isForBrowsers } satisfies OpenRoute);

/** Undefined if a credential is required. */
export function openRouteOf(host: ExecutionContext): OpenRoute | undefined {
  const route = (Reflect.getMetadata(OPEN, host.getHandler()) ?? Reflect.getMetadata(OPEN, host.getClass())) as
    | OpenRoute
    | undefined;
  if (!route?.isForBrowsers) return route;
  return wantsPage(host.switchToHttp().getRequest<Request>()) ? route : undefined;
}
