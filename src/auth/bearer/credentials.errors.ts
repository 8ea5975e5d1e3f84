import { type ServiceError, unauthorized } from '#errors';
import type { Environment, Region } from '#regions';
import type { Config } from '../../platform/config/app.config.js';

/** How fresh the last use of a credential is kept. */
export const touchEveryMs = 60_000;

export const unknownCredential = (): ServiceError => unauthorized('This credential is not known here.');

export const otherEnvironment = (given: Environment, here: Environment): ServiceError =>
  unauthorized(
    `This is a key of the ${given} environment; this address serves the ${here} environment. Use a key that begins with sk_${here}_, or the address of the ${given} environment.`,
  );

/** Says where the credential works: every region's address is public. */
export function otherRegion(given: Region, { region, regionUrls, baseUrl, mcpUrl }: Config): ServiceError {
  const address = regionUrls[given] ?? "that region's address";
  const anywhere = mcpUrl === baseUrl ? '' : `; MCP clients of every region can use ${mcpUrl}/mcp`;
  return unauthorized(
    `This is a credential of region ${given}; this address serves region ${region}. Use ${address}${anywhere}.`,
  );
}
