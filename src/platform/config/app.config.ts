import { databaseHosts } from '#database-hosts';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { childEnvironment } from '#child-environment';
import { type Environment, environments, type Region, regions } from '#regions';

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
  /** Who may create an account: anyone, with an organization of their own; people who are invited; or only operators. */
  signUp: SignUp;
  admin: { email?: string; password?: string; apiKey?: string };
  /** `details.vendor` of a 429. */
  vendor: string;
}

const signUps = ['open', 'invited', 'off'] as const;
export type SignUp = (typeof signUps)[number];

export interface ModelConfig {
  /** With its path, such as https://api.openai.com/v1. */
  baseUrl: string;
  apiKey?: string;
  name: string;
  /** How long one answer of the model is waited for. */
  timeoutSeconds: number;
}

/** The injection token of the configuration. */
export const CONFIG = Symbol('configuration');

type Variables = Record<string, string | undefined>;

/** @throws Error naming the variable and its allowed values. */
export function readConfig(env: Variables = process.env): Config {
  const port = whole(env, 'PORT', 3000, 65_535, 1);
  const baseUrl = address(env, 'BASE_URL', `http://localhost:${port}`);
  return {
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
    signUp: oneOf(env, 'SIGN_UP', signUps, 'invited'),
    admin: {
      email: email(env),
      password: env.ADMIN_PASSWORD || undefined,
      apiKey: env.ADMIN_API_KEY || undefined,
    },
    vendor: env.VENDOR || 'property-operations',
  };
}

/** Whether a failed start shows the whole error; read even if the configuration caused the failure. */
export const tellsCauses = (env: Variables = process.env): boolean => env.LOG_LEVEL === 'debug';

/**
 * The environment of a process that this one starts: the named variables of ours, those that any program needs, and
 * these.
 */
export const environmentOf = (inherited: readonly string[], variables: Variables): Variables => ({
  ...childEnvironment(inherited),
  ...variables,
});

const list = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

function whole(env: Variables, name: string, otherwise: number, max: number, min = 0): number {
  const value = env[name] || String(otherwise);
  if (!/^\d{1,9}$/.test(value) || Number(value) > max || Number(value) < min) {
    throw new Error(`${name} must be a whole number from ${min} to ${max}; it is "${value}".`);
  }
  return Number(value);
}

function oneOf<T extends string>(env: Variables, name: string, values: readonly T[], otherwise: T): T {
  const value = (env[name] || otherwise) as T;
  if (!values.includes(value)) throw new Error(`${name} must be one of ${values.join(', ')}; it is "${value}".`);
  return value;
}

/** `us=https://us.example.com,eu=…`, in the order given. */
function regionUrls({ REGION_URLS: value }: Variables): Config['regionUrls'] {
  const pairs = list(value).map((pair) => {
    const [, region, url] = /^(\w+)=(.+)$/.exec(pair) ?? [];
    if (!regions.includes(region as Region)) {
      throw new Error(
        `REGION_URLS must be written as us=https://us.example.com,eu=…; "${pair}" is not one of ${regions.join(', ')}.`,
      );
    }
    return [region, address({ REGION_URLS: url }, 'REGION_URLS', '')] as const;
  });
  const found = new Map(pairs);
  if (found.size < pairs.length) throw new Error('REGION_URLS must name each region once.');
  return Object.fromEntries(found) as Config['regionUrls'];
}

/** Behind a global entry the hops differ from way to way, so that there proxies are named by their addresses. */
function trustedProxies(env: Variables): number | string[] {
  const named = list(env.TRUSTED_PROXIES);
  if (named.length === 0 || /^\d+$/.test(named.join())) return whole(env, 'TRUSTED_PROXIES', 0, 32);
  const wrong = named.find((range) => !/[.:]/.test(range) || !(ipaddr.isValid(range) || ipaddr.isValidCIDR(range)));
  if (wrong)
    throw new Error(`TRUSTED_PROXIES must be a number of hops, or addresses and CIDRs; "${wrong}" is neither.`);
  return named;
}

function smtp({ SMTP_URL: value }: Variables): string | undefined {
  if (!value) return undefined;
  if (!URL.canParse(value) || !/^smtps?:$/.test(new URL(value).protocol)) {
    throw new Error('SMTP_URL must be an address such as smtp://user:password@mail.example.com:587.');
  }
  return value;
}

/** As node-postgres reads it: a URL, or the folder of a socket. */
function database(env: Variables, name: string): string | undefined {
  const value = env[name];
  if (value && !/^(postgres(ql)?:\/\/|socket:|\/)/.test(value)) {
    throw new Error(`${name} must be an address such as postgresql://user:password@db.example.com/name.`);
  }
  if (value) databaseHosts(value);
  return value || undefined;
}

/** Of browsers, and of programs with a browser inside, whose schemes are their own. */
function origins({ ALLOWED_ORIGINS: value }: Variables): string[] {
  const wrong = list(value).find((origin) => !/^[a-z][a-z\d+.-]*:\/\/[^/\s]+$/i.test(origin));
  if (wrong)
    throw new Error(`ALLOWED_ORIGINS must contain origins such as https://app.example.com; "${wrong}" is not one.`);
  return list(value);
}

function email({ ADMIN_EMAIL: value }: Variables): string | undefined {
  if (value && !/^[^\s@]+@[^\s@]+$/.test(value)) {
    throw new Error(`ADMIN_EMAIL must be an address such as owner@example.com; it is "${value}".`);
  }
  return value || undefined;
}

function redis({ REDIS_URL: value }: Variables): string | undefined {
  if (!value) return undefined;
  if (!URL.canParse(value) || !/^rediss?:$/.test(new URL(value).protocol)) {
    throw new Error('REDIS_URL must be an address such as redis://user:password@redis.example.com:6379.');
  }
  return value;
}

function model(env: Variables): ModelConfig | undefined {
  const [baseUrl, name] = [env.MODEL_BASE_URL, env.MODEL_NAME];
  if (!baseUrl && !name) return undefined;
  if (!baseUrl || !URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new Error(`MODEL_BASE_URL must be an address such as https://api.example.com/v1; it is "${baseUrl ?? ''}".`);
  }
  if (!name) throw new Error('MODEL_BASE_URL needs MODEL_NAME, the model to use. Set it.');
  const timeoutSeconds = whole(env, 'MODEL_TIMEOUT_SECONDS', 120, 3_600);
  return { baseUrl: baseUrl.replace(/\/+$/, ''), name, apiKey: env.MODEL_API_KEY || undefined, timeoutSeconds };
}

/** An address that may have a path, without a slash at its end. */
function server(env: Variables, name: string, otherwise: string): string {
  const value = env[name] || otherwise;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol) || /[?#]/.test(value)) {
    throw new Error(`${name} must be an address such as ${otherwise}; it is "${value}".`);
  }
  return value.replace(/\/+$/, '');
}

function address(env: Variables, name: string, otherwise: string): string {
  const value = env[name] || otherwise;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new Error(`${name} must be an address without a path, such as https://api.example.com; it is "${value}".`);
  }
  return url.origin;
}
