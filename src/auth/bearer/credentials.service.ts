import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ApiKeyCredential, Caller, RequestCaller } from '#access';
import type { PresentedCredential } from '#context';
import { unauthorized } from '#errors';
import { readApiKey, readOAuthToken } from '#regions';
import { Keyring } from '#secrets';
import { CONFIG } from '../../platform/config/app.config.js';
import type { Config } from '../../platform/config/app.config.js';
import { AccessTokensService } from './access-tokens.service.js';
import { readBearer } from './bearer.js';
import { otherEnvironment, otherRegion, touchEveryMs, unknownCredential } from './credentials.errors.js';
import { CredentialsRepository, type KeyRow } from './credentials.repository.js';
import { originOf } from './origin.js';

/** Resolves the bearer credential of a request to its caller, with a new lookup for every request. */
@Injectable()
export class CredentialsService {
  private readonly log = new Logger(CredentialsService.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keyring: Keyring,
    private readonly credentials: CredentialsRepository,
    private readonly accessTokens: AccessTokensService,
  ) {}

  /**
   * @param authorization the header's value, or undefined if it was not sent.
   * @throws authentication_error; its message helps a holder of the credential and reveals nothing to an outsider.
   */
  async callerOf(presented: PresentedCredential, requestId: string): Promise<RequestCaller> {
    const token = readBearer(presented.authorization);
    const oauthToken = readOAuthToken(token);
    return oauthToken
      ? await this.accessTokens.callerOf(token, oauthToken, requestId, presented)
      : await this.callerOfApiKey(token, requestId, presented);
  }

  private async callerOfApiKey(
    token: string,
    requestId: string,
    presented: PresentedCredential,
  ): Promise<Caller<ApiKeyCredential>> {
    const parts = readApiKey(token);
    if (!parts) throw unknownCredential();
    if (!parts.intact) throw unknownCredential();
    const { environment, region } = this.config;
    if (parts.environment !== environment) throw otherEnvironment(parts.environment, environment);
    if (parts.region && parts.region !== region) throw otherRegion(parts.region, this.config);
    const row = await this.findKey(token);
    if (!row) throw unknownCredential();
    this.refuseUnusable(row);
    this.touch(row, presented);
    return callerOfKey(row, requestId);
  }

  private async findKey(token: string): Promise<KeyRow | undefined> {
    for (const hash of this.keyring.hashes(token)) {
      const row = await this.credentials.findKey(hash);
      if (row) return row;
    }
    return undefined;
  }

  private refuseUnusable({ revokedAt, expiresAt, memberStatus, orgStatus }: KeyRow): void {
    if (revokedAt) throw unauthorized('This API key was revoked. Use another key.');
    if (expiresAt && expiresAt <= new Date().toISOString()) {
      throw unauthorized('This API key has expired. Create a new one.');
    }
    if (memberStatus !== 'active') throw unauthorized('The member of this API key is not active. Use another key.');
    if (orgStatus !== 'active') throw unauthorized('The organization of this API key is not active. Use another key.');
  }

  /** Written without delaying the response: a lost update only makes the last use a little older. */
  private touch(row: KeyRow, presented: PresentedCredential): void {
    const now = Date.now();
    if (row.lastUsedAt && now - Date.parse(row.lastUsedAt) < touchEveryMs) return;
    this.credentials
      .touchKey(row, new Date(now).toISOString(), originOf(presented))
      .catch((error: unknown) => this.log.warn({ err: error }, 'The last use of an API key was not written'));
  }
}

function callerOfKey(row: KeyRow, requestId: string): Caller<ApiKeyCredential> {
  const { scopes } = row;
  return {
    orgId: row.orgId,
    memberId: row.memberId,
    credential: {
      kind: 'api-key',
      id: row.id,
      principal: row.id,
      ratePerMinute: row.ratePerMinute,
      scopes,
      ...(row.applicationId && { applicationId: row.applicationId }),
      ...(row.allowedAddresses && { allowedAddresses: row.allowedAddresses }),
    },
    permissions: scopes,
    propertyIds: bothOf(row.propertyIds, row.memberPropertyIds),
    secondFactorMissing: false,
    requestId,
    // A person may have chosen at consent what needs approval.
    rulesAbout: row.applicationId === null ? row.rulesAbout : ['everything'],
  };
}

/** The intersection of two property limits; null means no limit. */
const bothOf = (a: string[] | null, b: string[] | null): string[] | null =>
  a && b ? a.filter((id) => b.includes(id)) : (a ?? b);
