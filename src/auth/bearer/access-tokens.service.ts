import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Caller, type OAuthCredential, scopeSet } from '#access';
import type { PresentedCredential } from '#context';
import { unauthorized } from '#errors';
import type { OAuthTokenKind, Region } from '#regions';
import { hashOfRandom } from '#secrets';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { permissionsOf } from '../../platform/callers/permissions.js';
import { AccessTokensRepository, type TokenRow } from './access-tokens.repository.js';
import { audienceOf } from './audience.js';
import { originOf } from './origin.js';
import { otherRegion, touchEveryMs, unknownCredential } from './credentials.errors.js';

/** OAuth tokens have the default limits (specification, Limits). */
const ratePerMinute = 1_000;

/** Resolves an OAuth access token to the person it acts for, in the one organization that was approved. */
@Injectable()
export class AccessTokensService {
  private readonly log = new Logger(AccessTokensService.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly tokens: AccessTokensRepository,
  ) {}

  /** @throws authentication_error unless the token is a valid access token of ours. */
  async callerOf(
    token: string,
    read: { kind: OAuthTokenKind; region: Region },
    requestId: string,
    presented: PresentedCredential,
  ): Promise<Caller<OAuthCredential>> {
    if (read.kind !== 'at') throw unauthorized('This is not an access token. Exchange it at the token endpoint.');
    if (read.region !== this.config.region) throw otherRegion(read.region, this.config);
    const row = await this.tokens.find(hashOfRandom(token));
    if (row?.kind !== 'at' || row.audience !== audienceOf(this.config)) throw unknownCredential();
    refuseUnusable(row);
    this.touch(row, presented);
    return callerOfToken(row, requestId);
  }

  /** Written without delaying the response: a lost update only makes the last use a little older. */
  private touch(row: TokenRow, presented: PresentedCredential): void {
    const now = Date.now();
    if (row.lastUsedAt && now - Date.parse(row.lastUsedAt) < touchEveryMs) return;
    this.tokens
      .touch(row, new Date(now).toISOString(), originOf(presented).address)
      .catch((error: unknown) => this.log.warn({ err: error }, 'The last use of an approval was not written'));
  }
}

function refuseUnusable({ revokedAt, expiresAt, orgStatus }: TokenRow): void {
  if (revokedAt) throw unauthorized('The approval of this application has ended. Ask the person to approve it again.');
  if (expiresAt <= new Date().toISOString()) {
    throw unauthorized(
      'This access token has expired. Refresh it, or ask the person to approve the application again.',
    );
  }
  if (orgStatus !== 'active') throw unauthorized('The organization of this access token is not active.');
}

/**
 * The intersection of the granted permissions and the person's current ones there (specification, OAuth 2.1 access
 * tokens). A person who is no longer an active member may do nothing; the token itself stays valid.
 */
function callerOfToken(row: TokenRow, requestId: string): Caller<OAuthCredential> {
  const { clientId, userId, role, memberStatus } = row;
  const granted = scopeSet(row.scope);
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
    rulesAbout: (row.askBefore ?? 'nothing') === 'nothing' ? row.rulesAbout : ['everything'],
  };
}
