import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { sourceOf } from '#limits';
import { AccountAudit } from './account-audit.js';
import { type Attempt, AttemptsService } from './attempts.service.js';
import { verifyPassword } from './passwords.js';
import { SecondFactorsService } from './second-factors.service.js';
import type { HalfSignedIn, SignedIn } from './session.js';
import { SessionsService } from './sessions.service.js';
import { UsersService } from './users.service.js';

/** Password, then the second factor where one is enrolled; whoever keeps failing waits longer and longer. */
@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersService,
    private readonly attempts: AttemptsService,
    private readonly sessions: SessionsService,
    private readonly secondFactors: SecondFactorsService,
    private readonly audit: AccountAudit,
  ) {}

  /**
   * @returns undefined for a wrong address or password, never telling which.
   * @throws ServiceError 429 while the account or the address has to wait.
   */
  async withPassword(
    request: Request,
    response: Response,
    { email, password }: { email: string; password: string },
  ): Promise<'signed-in' | 'second-factor' | undefined> {
    const attempts: Attempt[] = [
      ['account', email],
      ['ip', sourceOf(request.ip)],
    ];
    await this.attempts.begin(attempts);
    const user = await this.users.findForSignIn(email);
    if (!(await verifyPassword(user?.passwordHash, password)) || !user) {
      await this.audit.record('sign-in-failed', user?.id, { step: 'password' });
      return undefined;
    }
    await this.attempts.succeeded(attempts);
    const stage = user.hasSecondFactor ? 'second-factor' : 'signed-in';
    await this.sessions.begin(request, response, user.id, stage);
    if (stage === 'signed-in') await this.audit.record('signed-in', user.id, { factors: ['password'] });
    return stage;
  }

  withCode(request: Request, response: Response, half: HalfSignedIn, code: string): Promise<boolean> {
    return this.secondStep(request, response, half, () => this.secondFactors.verifyCode(half.userId, code));
  }

  withPasskey(request: Request, response: Response, half: HalfSignedIn, answer: string): Promise<boolean> {
    return this.secondStep(request, response, half, () => this.secondFactors.verifyPasskey(half, answer));
  }

  /** The password of someone who is signed in, typed again before something that matters. */
  async isPasswordOf(request: Request, { userId, email }: SignedIn, password: string): Promise<boolean> {
    const attempts: Attempt[] = [
      ['account', email],
      ['ip', sourceOf(request.ip)],
    ];
    await this.attempts.begin(attempts);
    const user = await this.users.findForSignIn(email);
    const isRight = (await verifyPassword(user?.passwordHash, password)) && user?.id === userId;
    if (isRight) await this.attempts.succeeded(attempts);
    else await this.audit.record('sign-in-failed', userId, { step: 'password again' });
    return isRight;
  }

  private async secondStep(
    request: Request,
    response: Response,
    half: HalfSignedIn,
    verify: () => Promise<boolean>,
  ): Promise<boolean> {
    const attempts: Attempt[] = [
      ['code', half.userId],
      ['ip', sourceOf(request.ip)],
    ];
    await this.attempts.begin(attempts);
    if (!(await verify())) {
      await this.audit.record('sign-in-failed', half.userId, { step: 'second factor' });
      return false;
    }
    await this.attempts.succeeded(attempts);
    await this.sessions.complete(response, half);
    await this.audit.record('signed-in', half.userId, { factors: ['password', 'second factor'] });
    return true;
  }
}
