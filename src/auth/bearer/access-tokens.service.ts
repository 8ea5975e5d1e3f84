import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Caller } from '#access';
import { unauthorized } from '#errors';
import type { OAuthTokenKind, Region } from '#regions';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { permissionsOf } from '../../organizations/permissions.js';
import { AccessTokensRepository, type TokenRow } from './access-tokens.repository.js';
import type { Origin } from './origin.js';
import { otherRegion, touchEveryMs, unknownCredential } from './credentials.errors.js';

/** OAuth tokens have the default limits (specification, Limits). */
const ratePerMinute = 1_000;

/** From an OAuth access token to the person it acts as, in the one organization that was approved. */
@Injectable()
export class AccessTokensService {
  private readonly log = new Logger(AccessTokensService.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly tokens: AccessTokensRepository,
  ) {}

  /** @throws authentication_error unless the token is an access token of ours that is still good. */
  async callerOf(
    token: string,
    read: { kind: OAuthTokenKind; region: Region },
    requestId: string,
    origin: Origin,
  ): Promise<Caller> {
    if (read.kind !== 'at') throw unauthorized('This is no access token. Exchange it at the token endpoint.');
    if (read.region !== this.config.region) throw otherRegion(read.region, this.config);
    const row = await this.tokens.find(createHash('sha256').update(token).digest());
    if (row?.kind !== 'at' || row.audience !== `${this.config.mcpUrl}/mcp`) throw unknownCredential();
    refuseUnusable(row);
    this.touch(row, origin);
    return callerOfToken(row, requestId);
  }

  /** Written beside the request and not before its answer: a lost touch costs nothing but freshness. */
  private touch(row: TokenRow, { address }: Origin): void {
    const now = Date.now();
    if (row.lastUsedAt && now - Date.parse(row.lastUsedAt) < touchEveryMs) return;
    this.tokens
      .touch(row, new Date(now).toISOString(), address)
      .catch((error: unknown) => this.log.warn({ err: error }, 'The last use of an approval was not written'));
  }
}

function refuseUnusable({ revokedAt, expiresAt, orgStatus }: TokenRow): void {
  if (revokedAt) throw unauthorized('The approval behind this access token has ended. Ask the person again.');
  if (expiresAt <= new Date().toISOString()) {
    throw unauthorized('This access token has expired. Refresh it, or ask the person again.');
  }
  if (orgStatus !== 'active') throw unauthorized('The organization of this access token is not active.');
}

/**
 * What was granted and what the person may do there just now, both (specification, OAuth 2.1 access tokens). Whoever is
 * no active member any more may do nothing; the token stays what it is.
 */
function callerOfToken(row: TokenRow, requestId: string): Caller {
  const { clientId, userId, role, memberStatus } = row;
  const granted = new Set(row.scope.split(' ').filter(Boolean));
  const live = memberStatus === 'active' && role ? permissionsOf(role) : [];
  return {
    orgId: row.orgId,
    memberId: row.memberId,
    userId,
    credential: {
      kind: 'oauth',
      id: row.grantId,
      principal: `${clientId}:${userId}`,
      ratePerMinute,
      scopes: granted,
      clientId,
      applicationId: row.grantId,
    },
    permissions: new Set(live.filter((permission) => granted.has(permission))),
    livePermissions: new Set(live),
    propertyIds: row.propertyIds,
    secondFactorMissing: row.requiresTwoFactor && !row.hasSecondFactor,
    requestId,
  };
}
