import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { AuthorizationServer } from './auth/oauth/authorization-server.js';
import { endConnectionsWhileDraining } from './edge/draining.middleware.js';
import { requireHost } from './edge/parser-errors.js';
import { requestId } from './edge/request-id.middleware.js';
import { requestLog } from './edge/request-log.middleware.js';
import { securityHeaders } from './edge/security-headers.middleware.js';
import { shedWhileOverloaded } from './edge/shedding.middleware.js';
import { Overload } from './health/overload.js';
import { Readiness } from './health/readiness.js';
import { settleServer } from './http-server.js';
import { ServiceLogger } from './logger.js';
import { Metrics } from './metrics/metrics.js';
import { countRequests } from './metrics/request-metrics.middleware.js';
import type { Surroundings } from './surroundings.module.js';

/** The whole HTTP application, not yet listening. */
export async function createApp(surroundings: Surroundings): Promise<NestExpressApplication> {
  const { config } = surroundings;
  const logger = new ServiceLogger(config.logLevel);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(surroundings), {
    bodyParser: false,
    logger,
    abortOnError: false,
  });
  app.set('etag', false).set('query parser', 'simple').set('trust proxy', config.trustedProxies);
  app.disable('x-powered-by');
  app.use(requestId);
  if (config.metricsPort !== undefined) app.use(countRequests(app.get(Metrics)));
  app.use(requestLog(logger), requireHost);
  app.use(securityHeaders(config));
  app.use(shedWhileOverloaded(app.get(Overload)));
  app.use(endConnectionsWhileDraining(app.get(Readiness)));
  app.use(app.get(AuthorizationServer).handle);
  settleServer(app.getHttpServer());
  return app;
}
