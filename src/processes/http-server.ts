import 'reflect-metadata';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../platform/config/app.config.js';
import { answerParserErrors } from '../edge/requests/parser-errors.js';
import { requestId } from '../edge/requests/request-id.middleware.js';
import { requestLog } from '../edge/requests/request-log.middleware.js';
import { securityHeaders, securityHeadersFor } from '../edge/requests/security-headers.middleware.js';
import { ServiceLogger } from '../platform/logging/logger.js';
import { endConnectionsAtClose } from './closing-connections.js';

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** Longer than load balancers keep idle connections (60 s is usual), so that none sends a request into a closing one. */
const keepAliveTimeoutMs = 65_000;
/**
 * A client that reads nothing of its response for so long is gone, and what is left of the response is memory. Nothing
 * that is healthy is silent for as long: streams send a comment every 15 seconds, and no response waits for over 30.
 */
const silenceTimeoutMs = 120_000;

/**
 * What every HTTP process of ours has, not yet listening: request ids, the log, security headers, client timeouts, and
 * responses to invalid HTTP.
 */
export async function createHttpServer(module: DynamicModule, config: Config): Promise<NestExpressApplication> {
  const logger = new ServiceLogger(config.logLevel, process.stderr.isTTY);
  const app = await NestFactory.create<NestExpressApplication>(module, {
    bodyParser: false,
    logger,
    abortOnError: false,
  });
  // Guards look at addresses as routes do. Express's own setting would come too late: Nest has asked for the router.
  Object.assign(app.getHttpAdapter().getInstance().router, { caseSensitive: true });
  app.set('etag', false).set('query parser', 'simple').set('trust proxy', config.trustedProxies);
  app.disable('x-powered-by');
  app.use(requestId, requestLog(logger), securityHeaders(config));
  const server = app.getHttpServer();
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  server.keepAliveTimeout = keepAliveTimeoutMs;
  server.timeout = silenceTimeoutMs;
  answerParserErrors(server, securityHeadersFor(config));
  endConnectionsAtClose(server);
  return app;
}
