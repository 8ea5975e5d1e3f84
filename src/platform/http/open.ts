import { type ExecutionContext, SetMetadata } from '@nestjs/common';

const OPEN = 'open';

export interface OpenRoute {
  /** False for what is answered from memory: documents, assets. */
  needsDatabase: boolean;
  /** False for probes alone. */
  isCounted: boolean;
}

/** Open to all: documents and pages, which carry no credential or one of their own kind. */
export const Open = ({ needsDatabase = true, isCounted = true }: Partial<OpenRoute> = {}): ClassDecorator &
  MethodDecorator => SetMetadata(OPEN, { needsDatabase, isCounted } satisfies OpenRoute);

/** Undefined where a credential is needed. */
export const openRouteOf = (host: ExecutionContext): OpenRoute | undefined =>
  (Reflect.getMetadata(OPEN, host.getHandler()) ?? Reflect.getMetadata(OPEN, host.getClass())) as OpenRoute | undefined;
