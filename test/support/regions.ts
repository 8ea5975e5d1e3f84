import { newApiKey, type Region } from '#regions';
import { readConfig } from '../../src/platform/config/app.config.js';
import { createGlobalEntry } from '../../src/processes/global-entry/global-entry.js';
import { freePort, type Service, startApp } from './start-app.js';

export interface Entry {
  /** http://localhost:port */
  url: string;
  close(): Promise<void>;
}

/** The global entry in this process. */
export async function startEntry(env: Record<string, string>): Promise<Entry> {
  const port = env.PORT ? Number(env.PORT) : await freePort();
  const config = readConfig({ PORT: String(port), LOG_LEVEL: 'silent', ...env });
  const app = await createGlobalEntry(config);
  await app.listen(port, '127.0.0.1');
  return { url: config.mcpUrl, close: () => app.close() };
}

export interface TwoRegions {
  entry: Entry;
  us: Service;
  eu: Service;
  close(): Promise<void>;
}

/** Cells of us and eu behind the global entry, each with a database and secrets of its own. */
export async function startTwoRegions(): Promise<TwoRegions> {
  const [entryPort, us, eu] = [await freePort(), await freePort(), await freePort()];
  const mcpUrl = `http://localhost:${entryPort}`;
  const shared = {
    MCP_URL: mcpUrl,
    REGION_URLS: `us=http://localhost:${us},eu=http://localhost:${eu}`,
    TRUSTED_PROXIES: '127.0.0.1,::1',
  };
  const cell = (region: Region, port: number): Promise<Service> =>
    startApp({ ...shared, REGION: region, PORT: String(port), ADMIN_API_KEY: newApiKey('live', region) });
  const cells = { us: await cell('us', us), eu: await cell('eu', eu) };
  const entry = await startEntry({ ...shared, PORT: String(entryPort) });
  return {
    entry,
    ...cells,
    close: async () => {
      await entry.close();
      await cells.us.close();
      await cells.eu.close();
    },
  };
}
