import { serversOf } from '#database-hosts';
import type { ModelConfig } from './variables.js';

/** The part of the configuration that names the systems to which the service connects. */
interface Addresses {
  baseUrl: string;
  mcpUrl: string;
  databaseUrl?: string;
  databaseListenUrl?: string;
  redisUrl?: string;
  smtpUrl?: string;
  regionUrls: Record<string, string>;
  model?: ModelConfig;
  nominatimUrl: string;
  overpassUrl: string;
}

const loopback = /^(localhost|127(\.\d+){3}|\[?::1\]?|\/.*)$/;
const leadsAway = (host: string): boolean => !loopback.test(host);

/** An address that is encrypted by its scheme. */
const needsScheme =
  (...schemes: string[]) =>
  (url: string): boolean =>
    leadsAway(new URL(url).hostname) && !schemes.includes(new URL(url).protocol);

const needsHttps = needsScheme('https:');
const needsVerifiedServer = (url: string): boolean =>
  serversOf(url).some(({ host }) => leadsAway(host)) && !/[?&]sslmode=verify-full(&|$)/.test(url);
const needsStartTls = (url: string): boolean =>
  needsScheme('smtps:')(url) && new URL(url).searchParams.get('requireTLS') !== 'true';

/** @returns what leaves this machine without encryption, each with the address that it needs instead. */
export function unencryptedOf(config: Addresses): string[] {
  const kinds: [name: string, urls: (string | undefined)[], isOpen: (url: string) => boolean, instead: string][] = [
    ['BASE_URL', [config.baseUrl], needsHttps, 'https://…'],
    ['MCP_URL', [config.mcpUrl], needsHttps, 'https://…'],
    ['DATABASE_URL', [config.databaseUrl], needsVerifiedServer, '…?sslmode=verify-full'],
    ['DATABASE_LISTEN_URL', [config.databaseListenUrl], needsVerifiedServer, '…?sslmode=verify-full'],
    ['REDIS_URL', [config.redisUrl], needsScheme('rediss:'), 'rediss://…'],
    ['SMTP_URL', [config.smtpUrl], needsStartTls, 'smtps://…, or smtp://…?requireTLS=true'],
    ['REGION_URLS', Object.values(config.regionUrls), needsHttps, 'https://…'],
    ['MODEL_BASE_URL', [config.model?.baseUrl], needsHttps, 'https://…'],
    ['NOMINATIM_URL', [config.nominatimUrl], needsHttps, 'https://…'],
    ['OVERPASS_URL', [config.overpassUrl], needsHttps, 'https://…'],
  ];
  return kinds
    .filter(([, urls, isOpen]) => urls.some((url) => url !== undefined && isOpen(url)))
    .map(([name, , , instead]) => `${name} (${instead})`);
}

/** @throws Error naming all of them, where REQUIRE_TLS is on. */
export function refuseUnencrypted<C extends Addresses & { requiresTls: boolean }>(config: C): C {
  const found = config.requiresTls ? unencryptedOf(config) : [];
  if (found.length > 0) throw new Error(`REQUIRE_TLS is on, and these are not encrypted: ${found.join('; ')}.`);
  return config;
}
