import { join } from 'node:path';
import { regionNames } from '#regions';
import type { Config } from '../platform/config/app.config.js';
import { unencryptedOf } from '../platform/config/encryption.js';
import { version } from '../platform/config/version.js';
import type { Generated } from './first-start.js';

const oneNode = 'limits: counted in this process only; a second HTTP node on this database needs REDIS_URL';

const countsOnlyHere = ({ databaseUrl, redisUrl }: Config): boolean => Boolean(databaseUrl && !redisUrl);

/** What an operator must know, and can change. */
function warningsOf(config: Config): string[] {
  const open = unencryptedOf(config);
  return [
    ...(countsOnlyHere(config) ? [oneNode] : []),
    ...(open.length > 0
      ? [`not encrypted beyond this machine: ${open.join('; ')}. REQUIRE_TLS=on refuses to start`]
      : []),
  ];
}

/** What programs read after the start: the values that it generated, where everything is, and that it is ready. */
export function plainAnnouncement(config: Config, { email, password, apiKey }: Generated): string[] {
  const { baseUrl, mcpUrl, region } = config;
  return [
    ...(email ? [`owner email: ${email}`] : []),
    ...(password ? [`owner password: ${password}`] : []),
    ...(apiKey ? [`api key: ${apiKey}`] : []),
    ...warningsOf(config),
    `REST ${baseUrl}/api/v1 · MCP ${mcpUrl}/mcp · reference ${baseUrl}/docs`,
    JSON.stringify({ ready: true, baseUrl, mcpUrl, region }),
  ];
}

/** The same for a person. */
export function readableAnnouncement(config: Config, { email, password, apiKey, demo, isFirst }: Generated): string[] {
  const { baseUrl, mcpUrl, region, environment, dataDir, smtpUrl, admin } = config;
  const facts: [string, string | undefined][] = [
    ['Sign in', `${baseUrl}/sign-in`],
    ['Owner', isFirst ? (email ?? admin.email) : undefined],
    ['Password', password && `${password}  (shown only now)`],
    ['API key', apiKey && `${apiKey}  (shown only now)`],
    ['REST', `${baseUrl}/api/v1`],
    ['MCP', `${mcpUrl}/mcp`],
    ['Reference', `${baseUrl}/docs`],
    ['Mail', smtpUrl ? `sent through ${new URL(smtpUrl).host}` : `files in ${join(dataDir, 'mail')}`],
    [
      'Demo',
      demo &&
        `${demo.properties} properties, ${demo.units} units, ${demo.members} members, ${demo.reservations} stays, ${demo.tasks} tasks, ${demo.devices} devices`,
    ],
  ];
  return [
    '',
    `Property Operations ${version} · ${regionNames[region]} (${region})${environment === 'test' ? ' · test environment' : ''}`,
    '',
    ...facts.filter(([, value]) => value).map(([name, value]) => `  ${name.padEnd(10)} ${value}`),
    '',
    ...warningsOf(config).map((warning) => `  ${warning}`),
    'Ready. Press Ctrl+C to stop. Requests follow:',
    '',
  ];
}
