import ipaddr from 'ipaddr.js';
import { databaseHosts } from '#database-hosts';
import { type Region, regions } from '#regions';

export type Variables = Record<string, string | undefined>;

export interface ModelConfig {
  /** With its path, such as https://api.openai.com/v1. */
  baseUrl: string;
  apiKey?: string;
  name: string;
  /** How long one answer of the model is waited for. */
  timeoutSeconds: number;
}

export const list = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export function whole(env: Variables, name: string, otherwise: number, max: number, min = 0): number {
  const value = env[name] || String(otherwise);
  if (!/^\d{1,9}$/.test(value) || Number(value) > max || Number(value) < min) {
    throw new Error(`${name} must be a whole number from ${min} to ${max}; it is "${value}".`);
  }
  return Number(value);
}

export function oneOf<T extends string>(env: Variables, name: string, values: readonly T[], otherwise: T): T {
  const value = (env[name] || otherwise) as T;
  if (!values.includes(value)) throw new Error(`${name} must be one of ${values.join(', ')}; it is "${value}".`);
  return value;
}

/** `us=https://us.example.com,eu=…`, in the order given. */
export function regionUrls({ REGION_URLS: value }: Variables): Partial<Record<Region, string>> {
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
  return Object.fromEntries(found) as Partial<Record<Region, string>>;
}

/** Behind a global entry, the number of hops varies, so proxies are named by their addresses. */
export function trustedProxies(env: Variables): number | string[] {
  const named = list(env.TRUSTED_PROXIES);
  if (named.length === 0 || /^\d+$/.test(named.join())) return whole(env, 'TRUSTED_PROXIES', 0, 32);
  const wrong = named.find((range) => !/[.:]/.test(range) || !(ipaddr.isValid(range) || ipaddr.isValidCIDR(range)));
  if (wrong)
    throw new Error(`TRUSTED_PROXIES must be a number of hops, or addresses and CIDRs; "${wrong}" is neither.`);
  return named;
}

export function smtp({ SMTP_URL: value }: Variables): string | undefined {
  if (!value) return undefined;
  if (!URL.canParse(value) || !/^smtps?:$/.test(new URL(value).protocol)) {
    throw new Error('SMTP_URL must be an address such as smtp://user:password@mail.example.com:587.');
  }
  return value;
}

/** As node-postgres reads it: a URL, or the folder of a socket. */
export function database(env: Variables, name: string): string | undefined {
  const value = env[name];
  if (value && !/^(postgres(ql)?:\/\/|socket:|\/)/.test(value)) {
    throw new Error(`${name} must be an address such as postgresql://user:password@db.example.com/name.`);
  }
  if (value) databaseHosts(value);
  return value || undefined;
}

/** Of browsers, and of programs with a browser inside, whose schemes are their own. */
export function origins({ ALLOWED_ORIGINS: value }: Variables): string[] {
  const wrong = list(value).find((origin) => !/^[a-z][a-z\d+.-]*:\/\/[^/\s]+$/i.test(origin));
  if (wrong)
    throw new Error(`ALLOWED_ORIGINS must contain origins such as https://app.example.com; "${wrong}" is not one.`);
  return list(value);
}

export function email({ ADMIN_EMAIL: value }: Variables): string | undefined {
  if (value && !/^[^\s@]+@[^\s@]+$/.test(value)) {
    throw new Error(`ADMIN_EMAIL must be an address such as owner@example.com; it is "${value}".`);
  }
  return value || undefined;
}

export function redis({ REDIS_URL: value }: Variables): string | undefined {
  if (!value) return undefined;
  if (!URL.canParse(value) || !/^rediss?:$/.test(new URL(value).protocol)) {
    throw new Error('REDIS_URL must be an address such as redis://user:password@redis.example.com:6379.');
  }
  return value;
}

export function model(env: Variables): ModelConfig | undefined {
  const [baseUrl, name] = [env.MODEL_BASE_URL, env.MODEL_NAME];
  if (!baseUrl && !name) return undefined;
  if (!baseUrl || !URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new Error(`MODEL_BASE_URL must be an address such as https://api.example.com/v1; it is "${baseUrl ?? ''}".`);
  }
  if (!name) throw new Error('MODEL_BASE_URL requires MODEL_NAME. Set it to the model to use.');
  const timeoutSeconds = whole(env, 'MODEL_TIMEOUT_SECONDS', 120, 3_600);
  return { baseUrl: baseUrl.replace(/\/+$/, ''), name, apiKey: env.MODEL_API_KEY || undefined, timeoutSeconds };
}

/** An address that may have a path, without a slash at its end. */
export function server(env: Variables, name: string, otherwise: string): string {
  const value = env[name] || otherwise;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol) || /[?#]/.test(value)) {
    throw new Error(`${name} must be an address such as ${otherwise}; it is "${value}".`);
  }
  return value.replace(/\/+$/, '');
}

export function address(env: Variables, name: string, otherwise: string): string {
  const value = env[name] || otherwise;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new Error(`${name} must be an address without a path, such as https://api.example.com; it is "${value}".`);
  }
  return url.origin;
}
