import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { Inject, Injectable } from '@nestjs/common';
import { idColumn, newId, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Config } from '../../../platform/config/app.config.js';
import { CONFIG } from '../../../platform/config/app.config.js';
import type { HalfSignedIn, SignedIn } from '../session.js';

export interface PasskeyView {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

interface StoredPasskey {
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
}

const ids = idColumn('passkey');

/** Loaded with the first passkey, because it brings a whole ASN.1 implementation along. */
const webAuthn = () => import('@simplewebauthn/server');

/**
 * Passkeys and security keys (WebAuthn Level 3) as a second factor. They prove presence only, because the password came
 * first.
 */
@Injectable()
export class PasskeysService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
  ) {}

  async list(userId: string): Promise<PasskeyView[]> {
    const rows = await this.database.rows(
      `select id, name, created_at as "createdAt", last_used_at as "lastUsedAt" from passkeys where user_id = $1 order by id`,
      [uuidIn(userId)],
    );
    return rows.map((row) => ({ ...row, id: ids.from(row.id) as string }) as PasskeyView);
  }

  /** The JSON options for `navigator.credentials.create`. */
  async registrationOptions({ sessionId, userId, email, name }: SignedIn): Promise<string> {
    const options = await (
      await webAuthn()
    ).generateRegistrationOptions({
      rpName: 'Property Operations',
      rpID: this.rpId,
      userName: email,
      userDisplayName: name,
      userID: new Uint8Array(Buffer.from(uuidIn(userId), 'hex')),
      excludeCredentials: (await this.stored(userId)).map(({ credential_id: id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    await this.remember(sessionId, options.challenge);
    return JSON.stringify(options);
  }

  /** Stores the browser's new credential in the caller's transaction. */
  async register({ sessionId, userId }: SignedIn, answer: string, name: string): Promise<boolean> {
    const challenge = await this.takeChallenge(sessionId);
    const response = readJson<RegistrationResponseJSON>(answer);
    if (!challenge || !response) return false;
    const { verified, registrationInfo } = await (
      await webAuthn()
    )
      .verifyRegistrationResponse({
        response,
        ...this.expected(challenge),
      })
      .catch(() => ({ verified: false as const, registrationInfo: undefined }));
    if (!verified || !registrationInfo) return false;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const added = await this.database.rows(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning 1`,
      [
        uuidIn(newId('passkey')),
        uuidIn(userId),
        id,
        Buffer.from(publicKey),
        counter,
        transports,
        name,
        new Date().toISOString(),
      ],
    );
    return added.length === 1;
  }

  /** The JSON options for `navigator.credentials.get`; undefined if the person has no passkey. */
  async authenticationOptions({ sessionId, userId }: HalfSignedIn): Promise<string | undefined> {
    const stored = await this.stored(userId);
    if (stored.length === 0) return undefined;
    const options = await (
      await webAuthn()
    ).generateAuthenticationOptions({
      rpID: this.rpId,
      allowCredentials: stored.map(({ credential_id: id, transports }) => ({ id, transports })),
      userVerification: 'preferred',
    });
    await this.remember(sessionId, options.challenge);
    return JSON.stringify(options);
  }

  async verify({ sessionId, userId }: HalfSignedIn, answer: string): Promise<boolean> {
    const challenge = await this.takeChallenge(sessionId);
    const response = readJson<AuthenticationResponseJSON>(answer);
    const passkey = (await this.stored(userId)).find(({ credential_id: id }) => id === response?.id);
    if (!challenge || !response || !passkey) return false;
    const { credential_id: id, public_key: publicKey, counter } = passkey;
    const result = await (
      await webAuthn()
    )
      .verifyAuthenticationResponse({
        response,
        ...this.expected(challenge),
        credential: { id, publicKey: new Uint8Array(publicKey), counter },
      })
      .catch(() => undefined);
    if (!result?.verified) return false;
    const used = await this.database.rows(
      `update passkeys set counter = $3, last_used_at = $4 where user_id = $1 and credential_id = $2 and counter = $5
       returning 1`,
      [uuidIn(userId), id, result.authenticationInfo.newCounter, new Date().toISOString(), counter],
    );
    return used.length === 1;
  }

  async remove(userId: string, passkeyId: string): Promise<void> {
    await this.database.rows(`delete from passkeys where user_id = $1 and replace(id::text, '-', '') = $2`, [
      uuidIn(userId),
      uuidIn(passkeyId),
    ]);
  }

  private get rpId(): string {
    return new URL(this.config.baseUrl).hostname;
  }

  private expected(challenge: string) {
    return {
      expectedChallenge: challenge,
      expectedOrigin: this.config.baseUrl,
      expectedRPID: this.rpId,
      requireUserVerification: false,
    };
  }

  private async stored(userId: string): Promise<StoredPasskey[]> {
    const rows = await this.database.rows(
      'select credential_id, public_key, counter, transports from passkeys where user_id = $1 order by id',
      [uuidIn(userId)],
    );
    return rows as unknown as StoredPasskey[];
  }

  private async remember(sessionId: string, challenge: string): Promise<void> {
    await this.database.rows('update sessions set challenge = $2 where id = $1', [uuidIn(sessionId), challenge]);
  }

  /** A challenge can be answered once. */
  private async takeChallenge(sessionId: string): Promise<string | undefined> {
    const [row] = await this.database.rows(
      `with taken as (select id, challenge from sessions where id = $1 for update)
       update sessions s set challenge = null from taken where s.id = taken.id returning taken.challenge`,
      [uuidIn(sessionId)],
    );
    return (row?.challenge as string | null | undefined) ?? undefined;
  }
}

/** The browser script's response. The verification checks its shape. */
function readJson<T extends { id: string }>(text: string): T | undefined {
  try {
    const value = JSON.parse(text) as T | null;
    return typeof value?.id === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
