import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { sourceOf } from '#limits';
import { AccountAudit } from '../../tenancy/people/account-audit.js';
import { type Attempt, AttemptsService } from './attempts.service.js';
import { DeviceCookie, type DeviceOwner } from './device-cookie.js';
import { verifyPassword } from '../../tenancy/people/passwords.js';
import { SecondFactorsService } from './second-factors.service.js';
import type { HalfSignedIn, SignedIn } from './session.js';
import type { AuthenticationMethod } from '../../tenancy/people/authentication.js';
import { SessionsService } from './sessions.service.js';
import { SignInHistory } from './sign-in-history.service.js';
import { UsersService } from '../../tenancy/people/users.service.js';

/** The second factor that was used; undefined if none was. */
type Proof = AuthenticationMethod | undefined;

/** Checks the password, then the second factor if one is enrolled. Repeated failures wait longer and longer. */
@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersService,
    private readonly attempts: AttemptsService,
    private readonly sessions: SessionsService,
    private readonly secondFactors: SecondFactorsService,
    private readonly audit: AccountAudit,
    private readonly devices: DeviceCookie,
    private readonly history: SignInHistory,
  ) {}

  /**
   * @returns undefined for a wrong address or password, without revealing which.
   * @throws ServiceError 429 while the account or the address has to wait.
   */
  async withPassword(
    request: Request,
    response: Response,
    { email, password }: { email: string; password: string },
  ): Promise<'signed-in' | 'second-factor' | undefined> {
    const user = await this.users.findForSignIn(email);
    const attempts = this.attemptsOf(request, ['account', email], user);
    await this.attempts.begin(attempts);
    if (!(await verifyPassword(user?.passwordHash, password)) || !user) {
      await this.audit.record('sign-in-failed', user?.id, { step: 'password' });
      if (user) await this.history.note(request, user.id, 'wrong-password');
      return undefined;
    }
    await this.attempts.succeeded(attempts);
    const stage = user.hasSecondFactor ? 'second-factor' : 'signed-in';
    if (!(await this.sessions.begin(request, response, user, stage))) return undefined;
    if (stage === 'signed-in') {
      this.devices.renew(request, response, user);
      await this.noteSignIn(request, user.id, ['password']);
    }
    return stage;
  }

  /** Somebody who has just proved their address and chosen a password there, with nothing else to prove. */
  async withNewPassword(request: Request, response: Response, userId: string): Promise<void> {
    const user = await this.users.findOwner(userId);
    if (!user || !(await this.sessions.begin(request, response, user, 'signed-in'))) return;
    this.devices.renew(request, response, user);
    await this.noteSignIn(request, userId, ['password']);
  }

  withCode(request: Request, response: Response, half: HalfSignedIn, code: string): Promise<boolean> {
    return this.secondStep(request, response, half, () => this.secondFactors.verifyCode(half.userId, code));
  }

  withPasskey(request: Request, response: Response, half: HalfSignedIn, answer: string): Promise<boolean> {
    return this.secondStep(request, response, half, () => this.secondFactors.verifyPasskey(half, answer));
  }

  /** The password of someone who is signed in, typed again before something that matters. */
  async isPasswordOf(request: Request, { userId, email }: SignedIn, password: string): Promise<boolean> {
    const user = await this.users.findForSignIn(email);
    const attempts = this.attemptsOf(request, ['account', email], user);
    await this.attempts.begin(attempts);
    const isRight = (await verifyPassword(user?.passwordHash, password)) && user?.id === userId;
    if (isRight) await this.attempts.succeeded(attempts);
    else await this.audit.record('sign-in-failed', userId, { step: 'password again' });
    return isRight;
  }

  /** A code of someone who is signed in, asked for before something that matters. */
  factorByCode(request: Request, signedIn: SignedIn, code: string): Promise<Proof> {
    return this.attempt(request, signedIn, () => this.secondFactors.verifyCode(signedIn.userId, code.trim()));
  }

  /** The same with a passkey. */
  factorByPasskey(request: Request, signedIn: SignedIn, answer: string): Promise<Proof> {
    return this.attempt(request, signedIn, () => this.secondFactors.verifyPasskey(signedIn, answer));
  }

  /** Call this after a password change or the first factor: the browser's earlier device cookie is no longer valid. */
  async rememberDevice(request: Request, response: Response, { userId }: { userId: string }): Promise<void> {
    const owner = await this.users.findOwner(userId);
    if (owner) this.devices.renew(request, response, owner);
  }

  /** The counters of an attempt: a known device has its own budget, and all other devices share theirs. */
  private attemptsOf(request: Request, shared: Attempt, owner: DeviceOwner | undefined): Attempt[] {
    const device = this.devices.known(request, owner);
    if (!owner || !device) return [shared, ['ip', sourceOf(request.ip)]];
    return [[shared[0] === 'code' ? 'code' : 'device', `${owner.id} ${device}`]];
  }

  private async attempt(request: Request, { userId }: HalfSignedIn, verify: () => Promise<Proof>): Promise<Proof> {
    const attempts = this.attemptsOf(request, ['code', userId], await this.users.findOwner(userId));
    await this.attempts.begin(attempts);
    const method = await verify();
    if (method) await this.attempts.succeeded(attempts);
    else {
      await this.audit.record('sign-in-failed', userId, { step: 'second factor' });
      await this.history.note(request, userId, 'wrong-factor');
    }
    return method;
  }

  private async secondStep(
    request: Request,
    response: Response,
    half: HalfSignedIn,
    verify: () => Promise<Proof>,
  ): Promise<boolean> {
    const method = await this.attempt(request, half, verify);
    if (!method) return false;
    await this.sessions.complete(response, half, method);
    await this.rememberDevice(request, response, half);
    await this.noteSignIn(request, half.userId, ['password', method]);
    return true;
  }

  private async noteSignIn(request: Request, userId: string, factors: AuthenticationMethod[]): Promise<void> {
    await this.audit.record('signed-in', userId, { factors });
    await this.history.note(request, userId, 'signed-in');
  }
}
