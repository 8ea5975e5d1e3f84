import { type ExecutionContext, SetMetadata } from '@nestjs/common';

const OPEN = 'open';

export interface OpenRoute {
  /** False for responses from memory: documents, assets. */
  needsDatabase: boolean;
  /** False only for probes. */
  isCounted: boolean;
}

/** Public routes: documents and pages, which need no credential or have their own kind. */
export const Open = ({ needsDatabase = true, isCounted = true }: Partial<OpenRoute> = {}): ClassDecorator &
  MethodDecorator => SetMetadata(OPEN, { needsDatabase, isCounted } satisfies OpenRoute);

/** Undefined if a credential is required. */
export const openRouteOf = (host: ExecutionContext): OpenRoute | undefined =>
  (Reflect.getMetadata(OPEN, host.getHandler()) ?? Reflect.getMetadata(OPEN, host.getClass())) as OpenRoute | undefined;
