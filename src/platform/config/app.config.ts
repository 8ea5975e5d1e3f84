import { resolve } from 'node:path';
import { childEnvironment } from '#child-environment';
import { type Environment, environments, type Region, regions } from '#regions';
import { refuseUnencrypted } from './encryption.js';
import {
  address,
  database,
  email,
  list,
  model,
  type ModelConfig,
  oneOf,
  origins,
  redis,
  regionUrls,
  server,
  smtp,
  trustedProxies,
  whole,
  type Variables,
} from './variables.js';

/** Everything the environment says; read here and nowhere else. README's configuration table is the same list. */
export interface Config {
  port: number;
  host: string;
  /** The public addresses, without a path or a slash at the end. */
  baseUrl: string;
  mcpUrl: string;
  dataDir: string;
  /** The owner's connection; undefined for the embedded database. */
  databaseUrl?: string;
  /** The same past a pooler, for the connection that listens. */
  databaseListenUrl?: string;
  /** redis:// or rediss://: what several nodes count and queue in. */
  redisUrl?: string;
  /** How long a limiter may take; one that takes longer is as good as down. */
  limitsTimeoutMs: number;
  /** How long a request may wait for a database connection before it gets 503. */
  databaseWaitMs: number;
  /** Whether this process also does background work: deliveries, mail, schedules. */
  works: boolean;
  /** smtp:// or smtps://; without it mail is written to files under dataDir. */
  smtpUrl?: string;
  /** A server with OpenAI's chat completions; without it, model-backed operations are rejected. */
  model?: ModelConfig;
  region: Region;
  environment: Environment;
  /** The base URLs of the cells of all regions, nearest first; empty if there is one cell. */
  regionUrls: Partial<Record<Region, string>>;
  /** How many hops of X-Forwarded-For are believed, or from which addresses and ranges. */
  trustedProxies: number | string[];
  /** How long a process that received SIGTERM accepts requests while /readyz returns 503: the time of two probes. */
  drainSeconds: number;
  /** The event loop's delay (99th percentile of a second, in ms) above which requests are rejected; 0 turns it off. */
  overloadDelayMs: number;
  allowedOrigins: string[];
  /** Hosts and CIDR ranges that outbound calls may reach beyond public https. */
  outboundAllow: string[];
  /** The sources of facts about places: the root of a Nominatim, and an Overpass API's full address. */
  nominatimUrl: string;
  overpassUrl: string;
  logLevel: string;
  /** The port of the metrics for Prometheus; undefined turns them off. */
  metricsPort?: number;
  /** Whether the start is refused where something leaves this machine without encryption. */
  requiresTls: boolean;
  /** Who may create an account: anyone, with an organization of their own; people who are invited; or only operators. */
  signUp: SignUp;
  /** Whether the organization of the first start is filled with demo data. */
  demo: boolean;
  admin: { email?: string; password?: string; apiKey?: string };
  /** `details.vendor` of a 429. */
  vendor: string;
}

const signUps = ['open', 'invited', 'off'] as const;
export type SignUp = (typeof signUps)[number];

/** The injection token of the configuration. */
export const CONFIG = Symbol('configuration');

/** @throws Error naming the variable and its allowed values. */
export function readConfig(env: Variables = process.env): Config {
  const port = whole(env, 'PORT', 3000, 65_535, 1);
  const baseUrl = address(env, 'BASE_URL', `http://localhost:${port}`);
  return refuseUnencrypted({
    port,
    host: env.HOST || '127.0.0.1',
    baseUrl,
    mcpUrl: address(env, 'MCP_URL', baseUrl),
    dataDir: resolve(env.DATA_DIR || '.data'),
    databaseUrl: database(env, 'DATABASE_URL'),
    databaseListenUrl: database(env, 'DATABASE_LISTEN_URL'),
    redisUrl: redis(env),
    limitsTimeoutMs: whole(env, 'LIMITS_TIMEOUT_MS', 50, 60_000, 1),
    databaseWaitMs: whole(env, 'DATABASE_WAIT_MS', 800, 60_000, 1),
    works: oneOf(env, 'WORKER', ['on', 'off'] as const, 'on') === 'on',
    smtpUrl: smtp(env),
    model: model(env),
    region: oneOf(env, 'REGION', regions, 'us'),
    environment: oneOf(env, 'ENVIRONMENT', environments, 'live'),
    regionUrls: regionUrls(env),
    trustedProxies: trustedProxies(env),
    drainSeconds: whole(env, 'DRAIN_SECONDS', 0, 300),
    overloadDelayMs: whole(env, 'OVERLOAD_DELAY_MS', 200, 60_000),
    allowedOrigins: origins(env),
    outboundAllow: list(env.OUTBOUND_ALLOW),
    nominatimUrl: server(env, 'NOMINATIM_URL', 'https://nominatim.openstreetmap.org'),
    overpassUrl: server(env, 'OVERPASS_URL', 'https://overpass-api.de/api/interpreter'),
    logLevel: oneOf(env, 'LOG_LEVEL', ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const, 'info'),
    metricsPort: whole(env, 'METRICS_PORT', 0, 65_535) || undefined,
    requiresTls: oneOf(env, 'REQUIRE_TLS', ['on', 'off'] as const, 'off') === 'on',
    signUp: oneOf(env, 'SIGN_UP', signUps, 'invited'),
    demo: oneOf(env, 'DEMO', ['on', 'off'] as const, 'on') === 'on',
    admin: {
      email: email(env),
      password: env.ADMIN_PASSWORD || undefined,
      apiKey: env.ADMIN_API_KEY || undefined,
    },
    vendor: env.VENDOR || 'property-operations',
  });
}

/** Whether a failed start shows the whole error; read even if the configuration caused the failure. */
export const printsCauses = (env: Variables = process.env): boolean => env.LOG_LEVEL === 'debug';

/**
 * The environment of a process that this one starts: the named variables of ours, those that any program needs, and
 * these.
 */
export const environmentOf = (inherited: readonly string[], variables: Variables): Variables => ({
  ...childEnvironment(inherited),
  ...variables,
});
