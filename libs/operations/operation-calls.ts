import { Inject, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ExternalContextCreator } from '@nestjs/core';
import type { RequestContext } from '#context';
import type { Answer } from '#errors';
import type { Handled } from './catalogue.js';

export type OperationCall = (context: RequestContext) => Promise<Answer>;

/** Takes what Express gives a handler, and returns the body of the response unless that was sent already. */
export type RequestCall = (request: object, response: object) => Promise<unknown>;

/**
 * Operations without Nest's router: for tool calls and workflows, and for requests whose route is known. Each is put
 * together at its first use, because Nest looks through all modules for its controller.
 */
@Injectable()
export class OperationCalls {
  constructor(@Inject(ExternalContextCreator) private readonly contexts: ExternalContextCreator) {}

  /** Runs the operation's guards, interceptors and handler, exactly those that REST runs. */
  of(handled: Handled): OperationCall {
    let call: OperationCall | undefined;
    return (context) => (call ??= this.create(handled, 'call') as OperationCall)(context);
  }

  /** The same for a request over HTTP, which the filter answers if it fails. */
  ofRequest(handled: Handled): RequestCall {
    let call: RequestCall | undefined;
    return (request, response) => (call ??= this.create(handled, 'http') as RequestCall)(request, response);
  }

  private create({ controller, method, methodName }: Handled, type: string) {
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
      type,
    );
  }
}
