import type { NextFunction, Request, Response } from 'express';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Catalogue, OperationCalls, type RequestCall } from '#operations';
import { sendText } from '../../platform/http/send-text.js';
import { RouteTree } from './route-tree.js';

/**
 * Leads requests to operations past the routers of Express and Nest, which try one route after the other, to the same
 * guards, interceptor, handler and filter. The routers still handle less usual requests: another spelling of a path,
 * HEAD, a version that the client already has, a stream.
 */
@Injectable()
export class KnownRoutes implements OnApplicationBootstrap {
  private readonly routes = new RouteTree<RequestCall>();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly calls: OperationCalls,
  ) {}

  onApplicationBootstrap(): void {
    for (const handled of this.catalogue.all()) {
      const { method, path, output } = handled.operation;
      if (output.kind === 'stream' || output.kind === 'lines') continue;
      this.routes.add(method, `/api/v1${path}`, this.calls.ofRequest(handled));
    }
  }

  readonly handle = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const isKnown = request.headers['if-none-match'] !== undefined;
    const route = isKnown ? undefined : this.routes.find(request.method, request.path);
    if (!route) return next();
    request.params = route.parameters;
    const body = await route.value(request, response);
    if (typeof body === 'string') sendText(response, body);
  };
}
