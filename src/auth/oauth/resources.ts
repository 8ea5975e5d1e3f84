import type { IncomingMessage } from 'node:http';
import type { Config } from '../../platform/config/app.config.js';

type Addresses = Pick<Config, 'baseUrl' | 'mcpUrl'>;

/** The one audience of access tokens, good at both doors (RFC 8707). */
export const audienceOf = ({ mcpUrl }: Addresses): string => `${mcpUrl}/mcp`;

/** Whether a request came to MCP_URL where that is a host of its own. */
export const isMcpHost = ({ headers }: IncomingMessage, { baseUrl, mcpUrl }: Addresses): boolean =>
  mcpUrl !== baseUrl && headers.host === new URL(mcpUrl).host;

/**
 * The audience that a `resource` parameter stands for, or undefined for a foreign one. A token asked for with any name
 * of ours works at both doors; were foreign names ignored, a hostile server that names us as its authorization server
 * would collect tokens that are good here.
 */
export function resourceOf(given: string | undefined, addresses: Addresses): string | undefined {
  const { baseUrl, mcpUrl } = addresses;
  if (given === undefined) return audienceOf(addresses);
  const ours = [mcpUrl, `${mcpUrl}/mcp`, baseUrl, `${baseUrl}/api/v1`];
  return ours.includes(plain(given)) ? audienceOf(addresses) : undefined;
}

/** Scheme and host in lower case, no slash at the end; anything beyond a path makes it another name. */
function plain(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname, search, hash, username } = new URL(address);
  return search || hash || username ? address : origin + pathname.replace(/\/$/, '');
}
