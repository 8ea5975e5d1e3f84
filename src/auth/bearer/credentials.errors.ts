import { type ServiceError, unauthorized } from '#errors';
import type { Environment, Region } from '#regions';
import type { Config } from '../../platform/config/app.config.js';

/** The precision of a credential's last use. */
export const touchEveryMs = 60_000;

export const unknownCredential = (): ServiceError =>
  unauthorized('Unknown credential. Check that it is complete and belongs to this service.');

export const otherEnvironment = (given: Environment, here: Environment): ServiceError =>
  unauthorized(
    `This key belongs to the ${given} environment; this address serves the ${here} environment. Use a key that begins with sk_${here}_.`,
  );

/** Names the region where the credential works, because every region's address is public. */
export function otherRegion(given: Region, { region, regionUrls, baseUrl, mcpUrl }: Config): ServiceError {
  const address = regionUrls[given] ?? "that region's address";
  const anywhere = mcpUrl === baseUrl ? '' : `; MCP clients of every region can use ${mcpUrl}/mcp`;
  return unauthorized(
    `This credential belongs to region ${given}; this address serves region ${region}. Use ${address}${anywhere}.`,
  );
}
