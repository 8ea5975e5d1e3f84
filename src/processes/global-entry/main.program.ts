import { inspect } from 'node:util';
import { readConfig } from '../../platform/config/app.config.js';
import { createGlobalEntry } from './global-entry.js';

try {
  const config = readConfig();
  const app = await createGlobalEntry(config);
  await app.listen(config.port, config.host);
  let ending: Promise<void> | undefined;
  const end = (): void => void (ending ??= app.close().then(() => process.exit(0)));
  process.on('SIGTERM', end).on('SIGINT', end).on('disconnect', end);
  const { mcpUrl, regionUrls } = config;
  process.stdout.write(`${JSON.stringify({ ready: true, mcpUrl, regions: Object.keys(regionUrls) })}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : inspect(error)}\n`);
  process.exit(1);
}
