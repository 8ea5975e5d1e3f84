import { Inject, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ExternalContextCreator } from '@nestjs/core';
import type { RequestContext } from '#context';
import type { Answer } from '#errors';
import type { Handled } from './catalogue.js';

export type OperationCall = (context: RequestContext) => Promise<Answer>;

/** Operations without HTTP, for tool calls and workflows. */
@Injectable()
export class OperationCalls {
  constructor(@Inject(ExternalContextCreator) private readonly contexts: ExternalContextCreator) {}

  /** Runs the operation's guards, interceptors and handler, exactly those that REST runs. */
  of({ controller, method, methodName }: Handled): OperationCall {
    return this.contexts.create(
      controller,
      method,
      methodName,
      ROUTE_ARGS_METADATA,
      // Handlers take their parameters by decorators of our own, which need no exchange.
      { exchangeKeyForValue: () => undefined },
      undefined,
      undefined,
      { guards: true, interceptors: true, filters: true },
      'call',
    ) as OperationCall;
  }
}
