import { Injectable } from '@nestjs/common';
import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type ApprovedApplication, GrantsRepository } from '../oauth/grants.repository.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { nameOf } from './access-endings.service.js';
import { AccountAudit } from '../../tenancy/people/account-audit.js';
import { secondFactorAddedMail } from './account-mail.js';
import { PasskeysService } from './second-factors/passkeys.service.js';
import { RecoveryCodesService } from './second-factors/recovery-codes.service.js';
import { TotpService } from './second-factors/totp.service.js';
import type { HalfSignedIn, SignedIn } from './session.js';
import type { AuthenticationMethod } from '../../tenancy/people/authentication.js';
import { SessionsService } from './sessions.service.js';

/**
 * The result of adding a factor. False means that it was rejected. The first factor also yields recovery codes and the
 * applications that were approved without it, which keep working (specification, authorization lifecycle).
 */
export type Enrolment = false | { recoveryCodes?: string[]; approvedBefore?: ApprovedApplication[] };

/**
 * The factors that a person is asked for in addition to the password. `users.has_second_factor` changes in the
 * transaction that adds or removes a factor, because every request with a bearer credential checks it.
 */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly database: SystemDatabase,
    private readonly totp: TotpService,
    private readonly passkeys: PasskeysService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly sessions: SessionsService,
    private readonly audit: AccountAudit,
    private readonly grants: GrantsRepository,
    private readonly mail: MailService,
  ) {}

  async isEnrolled(userId: string): Promise<boolean> {
    const [user] = await this.database.rows('select has_second_factor from users where id = $1', [uuidIn(userId)]);
    return user?.has_second_factor === true;
  }

  confirmTotp(signedIn: SignedIn, code: string): Promise<Enrolment> {
    return this.add(signedIn, 'totp', () => this.totp.confirm(signedIn, code));
  }

  addPasskey(signedIn: SignedIn, answer: string, name: string): Promise<Enrolment> {
    return this.add(signedIn, 'passkey', () => this.passkeys.register(signedIn, answer, name));
  }

  /**
   * Enrols an authenticator on someone's behalf (an operator's command). The first factor signs the person out.
   *
   * @throws conflict_error if one is enrolled.
   */
  async enrollTotp(userId: string): Promise<{ userId: string; secret: string; recoveryCodes: string[] }> {
    return await this.changing(userId, async () => {
      const isFirst = !(await this.isEnrolled(userId));
      const secret = await this.totp.enroll(userId);
      if (isFirst) await this.sessions.signOutEverywhere(userId);
      await this.audit.record('second-factor-added', userId, { factor: 'totp' });
      return { userId, secret, recoveryCodes: await this.recoveryCodes.renew(userId) };
    });
  }

  /** Accepts a code from the authenticator, or a recovery code in its place. */
  async verifyCode(userId: string, code: string): Promise<AuthenticationMethod | undefined> {
    const digits = code.replaceAll(' ', '');
    if (/^\d{6}$/.test(digits)) return (await this.totp.verify(userId, digits)) ? 'totp' : undefined;
    if (!(await this.recoveryCodes.use(userId, code))) return undefined;
    await this.audit.record('recovery-code-used', userId);
    return 'recovery_code';
  }

  async verifyPasskey(half: HalfSignedIn, answer: string): Promise<AuthenticationMethod | undefined> {
    return (await this.passkeys.verify(half, answer)) ? 'passkey' : undefined;
  }

  async removeTotp(userId: string): Promise<void> {
    await this.changing(userId, () => this.totp.remove(userId));
    await this.audit.record('second-factor-removed', userId, { factor: 'totp' });
  }

  async removePasskey(userId: string, passkeyId: string): Promise<void> {
    await this.changing(userId, () => this.passkeys.remove(userId, passkeyId));
    await this.audit.record('second-factor-removed', userId, { factor: 'passkey' });
  }

  async renewRecoveryCodes(userId: string): Promise<string[]> {
    const codes = await this.changing(userId, () => this.recoveryCodes.renew(userId));
    await this.audit.record('recovery-codes-renewed', userId);
    return codes;
  }

  /** The first factor ends every other session and pending change, because those were started with a password only. */
  private async add(
    { userId, sessionId, email }: SignedIn,
    factor: 'totp' | 'passkey',
    enrol: () => Promise<boolean>,
  ): Promise<Enrolment> {
    return await this.changing(userId, async () => {
      const isFirst = !(await this.isEnrolled(userId));
      if (!(await enrol())) return false;
      await this.sessions.noteProof(sessionId, factor);
      await this.audit.record('second-factor-added', userId, { factor });
      if (!isFirst) return {};
      await this.sessions.signOutEverywhere(userId, sessionId);
      const approvedBefore = await this.grants.listLive(userId);
      await this.mail.queue(secondFactorAddedMail(email, approvedBefore.map(nameOf)));
      return { recoveryCodes: await this.recoveryCodes.renew(userId), approvedBefore };
    });
  }

  /** Serializes changes to a person's factors, and writes the consequences in the same transaction. */
  private async changing<T>(userId: string, change: () => Promise<T>): Promise<T> {
    return await this.database.transaction(async () => {
      await this.database.rows('select 1 from users where id = $1 for no key update', [uuidIn(userId)]);
      const result = await change();
      const [user] = await this.database.rows(
        `update users set has_second_factor =
           exists (select 1 from totp_factors where user_id = $1 and confirmed_at is not null)
           or exists (select 1 from passkeys where user_id = $1)
         where id = $1 returning has_second_factor`,
        [uuidIn(userId)],
      );
      if (user?.has_second_factor === false) await this.recoveryCodes.remove(userId);
      return result;
    });
  }
}
