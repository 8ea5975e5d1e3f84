import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { newApiKey, randomBase62, type Region, regions } from '#regions';
import type { Config } from '../../platform/config/app.config.js';
import { cellVariables, entryVariables } from './inherited-variables.js';
import { type ServiceProcess, startProcess } from './service-process.js';

/** The first owner of a cell, and a key with every permission. */
interface Admin {
  email: string;
  password: string;
  key: string;
}

export type RegionAddresses = { entry: string } & Record<Region, Admin & { baseUrl: string }>;

/**
 * A cell for each region and the global entry, each a process of its own, the cells with their own secrets and
 * databases. They end with this process, but the end of one does not end the others.
 *
 * @returns when all of them respond; `ended` resolves when none is running any more.
 * @throws Error where one does not start; the others have ended by then.
 */
export async function startRegions(config: Config): Promise<{ addresses: RegionAddresses; ended: Promise<void> }> {
  const ports = await freePorts(1 + regions.length);
  const places = ports.map((port) => ({ PORT: String(port), HOST: '127.0.0.1', BASE_URL: `http://localhost:${port}` }));
  const [entryPlace, ...cellPlaces] = places as [Place, ...Place[]];
  const cells = regions.map((region, index) => {
    const dataDir = join(config.dataDir, 'regions', region);
    return { region, dataDir, place: cellPlaces[index] as Place, admin: adminIn(dataDir, region, config) };
  });
  const shared = {
    MCP_URL: entryPlace.BASE_URL,
    REGION_URLS: cells.map(({ region, place }) => `${region}=${place.BASE_URL}`).join(),
    // Four processes cannot share these settings.
    DATABASE_URL: '',
    DATABASE_LISTEN_URL: '',
    REDIS_URL: '',
    METRICS_PORT: '',
  };
  const processes = [
    ...cells.map(({ region, dataDir, place, admin }) =>
      startProcess('main.js', cellVariables, {
        ...shared,
        ...place,
        REGION: region,
        DATA_DIR: dataDir,
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
        ADMIN_API_KEY: admin.key,
        // The entry's information about the origin of a request.
        TRUSTED_PROXIES: '127.0.0.1,::1',
      }),
    ),
    startProcess('global-entry/main.js', entryVariables, { ...shared, ...entryPlace, TRUSTED_PROXIES: '' }),
  ];
  const ended = endTogether(processes);
  try {
    await Promise.all(processes.map(({ ready }) => ready));
  } catch (error) {
    for (const one of processes) one.end();
    await ended;
    throw error;
  }
  const entries = cells.map(({ region, place, admin }) => [region, { baseUrl: place.BASE_URL, ...admin }]);
  return {
    addresses: {
      entry: entryPlace.BASE_URL,
      ...(Object.fromEntries(entries) as Record<Region, RegionAddresses[Region]>),
    },
    ended,
  };
}

interface Place {
  PORT: string;
  HOST: string;
  BASE_URL: string;
}

/** Kept beside the data, so that a later start can print them again. */
function adminIn(dataDir: string, region: Region, { admin, environment }: Config): Admin {
  const file = join(dataDir, 'admin.json');
  if (!existsSync(file)) {
    const made: Admin = {
      email: admin.email ?? 'owner@example.com',
      password: admin.password ?? randomBase62().slice(0, 20),
      key: newApiKey(environment, region),
    };
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Admin;
}

/** All ports are held until the last is found, so that no port is found twice. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** SIGTERM and Ctrl-C are for all of them. */
async function endTogether(processes: readonly ServiceProcess[]): Promise<void> {
  const end = (): void => processes.forEach((one) => one.end());
  const signals = ['SIGTERM', 'SIGINT'] as const;
  for (const signal of signals) process.on(signal, end);
  await Promise.all(processes.map(({ ended }) => ended));
  for (const signal of signals) process.off(signal, end);
}
