import { generateSecret, generateURI, verifySync } from 'otplib';
import { toDataURL } from 'qrcode';
import { Injectable } from '@nestjs/common';
import { conflict } from '#errors';
import { uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import type { SignedIn } from '../session.js';

const issuer = 'Property Operations';
const periodSeconds = 30;

/** The secret for an authenticator app, as text and as a picture. */
export interface TotpDraft {
  secret: string;
  /** A data: URI of the QR code. */
  qrCode: string;
}

/** Codes from an authenticator app (TOTP, RFC 6238). The secret is sealed at rest. */
@Injectable()
export class TotpService {
  constructor(
    private readonly database: SystemDatabase,
    private readonly keyring: Keyring,
  ) {}

  async isEnrolled(userId: string): Promise<boolean> {
    const [row] = await this.database.rows(
      'select 1 from totp_factors where user_id = $1 and confirmed_at is not null',
      [uuidIn(userId)],
    );
    return row !== undefined;
  }

  /**
   * A secret that waits for its first code. Repeated calls of a session return the same secret, so a reloaded page still
   * matches the app; another session gets another one, because its owner may only know the password.
   *
   * @throws conflict_error if an authenticator is enrolled.
   */
  async draft({ sessionId, userId, email }: SignedIn): Promise<TotpDraft> {
    if (await this.isEnrolled(userId)) throw alreadyEnrolled();
    const fresh = generateSecret();
    await this.database.rows(
      `insert into totp_factors as drafted (user_id, session_id, secret, created_at) values ($1, $2, $3, $4)
       on conflict (user_id) do update
         set session_id = excluded.session_id, secret = excluded.secret, created_at = excluded.created_at
       where drafted.confirmed_at is null and drafted.session_id is distinct from excluded.session_id`,
      [uuidIn(userId), uuidIn(sessionId), this.keyring.seal(fresh, contextOf(userId)), new Date().toISOString()],
    );
    const secret = (await this.secretOf(userId, sessionId)) ?? fresh;
    const qrCode = await toDataURL(generateURI({ issuer, label: email, secret }), { margin: 2, width: 220 });
    return { secret, qrCode };
  }

  /** Enrols an authenticator immediately, as part of the caller's transaction. */
  async enroll(userId: string): Promise<string> {
    if (await this.isEnrolled(userId)) throw alreadyEnrolled();
    const secret = generateSecret();
    const now = new Date().toISOString();
    await this.database.rows(
      `insert into totp_factors (user_id, secret, created_at, confirmed_at) values ($1, $2, $3, $3)
       on conflict (user_id) do update set secret = excluded.secret, confirmed_at = excluded.confirmed_at`,
      [uuidIn(userId), this.keyring.seal(secret, contextOf(userId)), now],
    );
    return secret;
  }

  /** The first code confirms the draft of the session. */
  async confirm({ sessionId, userId }: SignedIn, code: string): Promise<boolean> {
    const step = stepOf(await this.secretOf(userId, sessionId), code);
    if (step === undefined) return false;
    const confirmed = await this.database.rows(
      `update totp_factors set confirmed_at = $2, last_step = $3
        where user_id = $1 and session_id = $4 and confirmed_at is null returning 1`,
      [uuidIn(userId), new Date().toISOString(), step, uuidIn(sessionId)],
    );
    return confirmed.length === 1;
  }

  /** A code works once: of two simultaneous uses, one is rejected. */
  async verify(userId: string, code: string): Promise<boolean> {
    const step = stepOf(await this.secretOf(userId), code);
    if (step === undefined) return false;
    const used = await this.database.rows(
      `update totp_factors set last_step = $2
        where user_id = $1 and confirmed_at is not null and coalesce(last_step, -1) < $2 returning 1`,
      [uuidIn(userId), step],
    );
    return used.length === 1;
  }

  async remove(userId: string): Promise<void> {
    await this.database.rows('delete from totp_factors where user_id = $1', [uuidIn(userId)]);
  }

  /** @param sessionId of a draft, which only its own session confirms. */
  private async secretOf(userId: string, sessionId?: string): Promise<string | undefined> {
    const [row] = await this.database.rows(
      `select secret from totp_factors
        where user_id = $1 and ($2::uuid is null or (session_id = $2 and confirmed_at is null))`,
      [uuidIn(userId), sessionId ? uuidIn(sessionId) : null],
    );
    return row && this.keyring.open(row.secret as Buffer, contextOf(userId));
  }
}

/** The time step that the code belongs to: the current one or a neighbour, because clocks drift. */
function stepOf(secret: string | undefined, code: string): number | undefined {
  if (!secret || !/^\d{6}$/.test(code)) return undefined;
  const epoch = Math.floor(Date.now() / 1_000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: periodSeconds });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

const contextOf = (userId: string): string => `totp ${userId}`;

const alreadyEnrolled = () =>
  conflict('TOTP_ENROLLED', 'You already have an authenticator app. Remove it before you add another one.');
