import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../app.config.js';
import { requireHost } from '../edge/parser-errors.js';
import { requestId } from '../edge/request-id.middleware.js';
import { requestLog } from '../edge/request-log.middleware.js';
import { securityHeaders } from '../edge/security-headers.middleware.js';
import { settleServer } from '../http-server.js';
import { ServiceLogger } from '../logger.js';
import { GlobalEntryModule } from './global-entry.module.js';

/**
 * {mcp_url}, one address for the cells of every region, not yet listening. It keeps nothing, so that there may be as
 * many of it as one likes.
 *
 * @throws Error where REGION_URLS names no cell.
 */
export async function createGlobalEntry(given: Config): Promise<NestExpressApplication> {
  if (Object.keys(given.regionUrls).length === 0) {
    throw new Error('REGION_URLS must name the cells, such as us=https://us.example.com,eu=https://eu.example.com.');
  }
  // MCP_URL is its only address.
  const config = { ...given, baseUrl: given.mcpUrl };
  const logger = new ServiceLogger(config.logLevel);
  const app = await NestFactory.create<NestExpressApplication>(GlobalEntryModule.of(config), {
    bodyParser: false,
    logger,
    abortOnError: false,
  });
  app.set('etag', false).set('query parser', 'simple').set('trust proxy', config.trustedProxies);
  app.disable('x-powered-by');
  app.use(requestId);
  app.use(requestLog(logger), requireHost);
  app.use(securityHeaders(config));
  settleServer(app.getHttpServer());
  return app;
}
