import { type ExecutionContext, SetMetadata } from '@nestjs/common';

const OPEN = 'open';

/** Open to all: documents and pages, which carry no credential or one of their own kind. */
export const Open = (): ClassDecorator & MethodDecorator => SetMetadata(OPEN, true);

export const isOpen = (host: ExecutionContext): boolean =>
  Reflect.getMetadata(OPEN, host.getHandler()) === true || Reflect.getMetadata(OPEN, host.getClass()) === true;
