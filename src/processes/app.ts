import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { AuthorizationServer } from '../auth/oauth/authorization-server.js';
import { endConnectionsWhileDraining } from '../edge/requests/draining.middleware.js';
import { requireHost } from '../edge/requests/parser-errors.js';
import { admitOpen, OpenRequests } from '../edge/overload/open-requests.js';
import { KnownRoutes } from '../edge/requests/known-routes.js';
import { shedWhileOverloaded } from '../edge/overload/shedding.middleware.js';
import { Overload } from '../platform/health/overload.js';
import { Readiness } from '../platform/health/readiness.js';
import { createHttpServer } from './http-server.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { keepRequests } from '../edge/requests/keep-requests.middleware.js';
import { countRequests } from '../edge/requests/request-metrics.middleware.js';
import { RequestLog } from '../platform/requests/request-log.service.js';
import type { Environment } from './environment.module.js';

/** The whole HTTP application, not yet listening. */
export async function createApp(environment: Environment): Promise<NestExpressApplication> {
  const { config } = environment;
  const app = await createHttpServer(AppModule.of(environment), config);
  if (config.metricsPort !== undefined) app.use(countRequests(app.get(Metrics)));
  app.use(keepRequests(app.get(RequestLog)));
  app.use(requireHost);
  app.use(shedWhileOverloaded(app.get(Overload), app.get(Metrics)));
  app.use(endConnectionsWhileDraining(app.get(Readiness)));
  const authorization = app.get(AuthorizationServer);
  app.use(admitOpen(app.get(OpenRequests), (request) => authorization.routeOf(request)));
  app.use(authorization.handle);
  app.use(app.get(KnownRoutes).handle);
  return app;
}
