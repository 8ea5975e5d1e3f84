import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../../platform/config/app.config.js';
import { requireHost } from '../../edge/requests/parser-errors.js';
import { createHttpServer } from '../http-server.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { countRequests } from '../../edge/requests/request-metrics.middleware.js';
import { GlobalEntryModule } from './global-entry.module.js';

/**
 * {mcp_url}, one address for the cells of every region, not yet listening. It stores nothing, so any number of
 * instances may run.
 *
 * @throws Error if REGION_URLS names no cell.
 */
export async function createGlobalEntry(given: Config): Promise<NestExpressApplication> {
  if (Object.keys(given.regionUrls).length === 0) {
    throw new Error('REGION_URLS must name the cells, such as us=https://us.example.com,eu=https://eu.example.com.');
  }
  // MCP_URL is its only address.
  const config = { ...given, baseUrl: given.mcpUrl };
  const app = await createHttpServer(GlobalEntryModule.of(config), config);
  if (config.metricsPort !== undefined) app.use(countRequests(app.get(Metrics)));
  app.use(requireHost);
  return app;
}
