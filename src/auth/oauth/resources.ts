import type { IncomingMessage } from 'node:http';
import type { Config } from '../../platform/config/app.config.js';
import { audienceOf } from '../bearer/audience.js';

type Addresses = Pick<Config, 'baseUrl' | 'mcpUrl'>;

/** Whether a request was sent to MCP_URL, if that is a separate host. */
export const isMcpHost = ({ headers }: IncomingMessage, { baseUrl, mcpUrl }: Addresses): boolean =>
  mcpUrl !== baseUrl && headers.host === new URL(mcpUrl).host;

/**
 * The audience that a `resource` parameter stands for, or undefined for a foreign one. A token requested with any of
 * our names works at both hosts. If foreign names were ignored, a hostile server that names us as its authorization
 * server would collect tokens that are valid here.
 */
export function resourceOf(given: string | undefined, addresses: Addresses): string | undefined {
  const { baseUrl, mcpUrl } = addresses;
  if (given === undefined) return audienceOf(addresses);
  const ours = [mcpUrl, audienceOf(addresses), baseUrl, `${baseUrl}/api/v1`];
  return ours.includes(plain(given)) ? audienceOf(addresses) : undefined;
}

/** Scheme and host in lower case, no trailing slash. Anything beyond a path makes it a different name. */
function plain(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname, search, hash, username } = new URL(address);
  return search || hash || username ? address : origin + pathname.replace(/\/$/, '');
}
