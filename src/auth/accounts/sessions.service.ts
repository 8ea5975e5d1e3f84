import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { type Fields, formTokenOf } from '../../platform/pages/forms.service.js';
import { pathWith, SeeOther } from '../../platform/pages/see-other.js';
import {
  confirmationPath,
  type HalfSignedIn,
  isFactorFresh,
  isFresh,
  needsFactor,
  type SessionView,
  type SignedIn,
  type Stage,
} from './session.js';
import { type AuthenticationMethod } from '../../tenancy/people/authentication.js';
import { MailedLinksService } from '../../tenancy/people/mailed-links.service.js';
import { HeldForm } from './held-form.js';
import { SessionCookie } from './session-cookie.js';
import { SessionsRepository } from './sessions.repository.js';

/** Finds the signed-in person by the request's cookie, and begins and ends what the cookie stands for. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly cookie: SessionCookie,
    private readonly held: HeldForm,
    private readonly links: MailedLinksService,
  ) {}

  current(request: Request): Promise<SignedIn | undefined> {
    return this.find(request, 'signed-in');
  }

  /** @throws SeeOther to the sign-in, which leads back here, with what a form had sent. */
  async require(request: Request): Promise<SignedIn> {
    const signedIn = await this.current(request);
    if (signedIn) return signedIn;
    const back = request.method === 'GET' ? request.originalUrl : await this.held.keep(request);
    throw new SeeOther(back === undefined ? '/sign-in' : pathWith('/sign-in', { return_to: back }));
  }

  /**
   * Guards a sensitive action, so that somebody who finds a signed-in browser does not get far.
   *
   * @param returnTo the page that leads to the action, if it is not the requested one.
   * @throws SeeOther to the page that asks for the password or a factor, unless one was used in the last ten minutes.
   */
  async requireFresh(request: Request, returnTo = request.originalUrl): Promise<SignedIn> {
    const signedIn = await this.require(request);
    if (isFresh(signedIn)) return signedIn;
    throw new SeeOther(confirmationPath(returnTo));
  }

  /**
   * The same for a form that was read already: after the confirmation, the person is asked whether to send it.
   *
   * @param sent.page that has the form.
   * @param sent.factor if people who have a second factor must have used it.
   */
  requireFreshFor(
    request: Request,
    signedIn: SignedIn,
    { fields, page, factor }: { fields: Fields; page: string; factor?: 'factor' },
  ): void {
    if (factor ? isFactorFresh(signedIn) : isFresh(signedIn)) return;
    throw new SeeOther(confirmationPath(this.held.hold(request, fields, page), factor));
  }

  /** The same, but people who have a second factor must have used it. */
  async requireFreshFactor(request: Request, returnTo = request.originalUrl): Promise<SignedIn> {
    const signedIn = await this.require(request);
    if (isFactorFresh(signedIn)) return signedIn;
    throw new SeeOther(confirmationPath(returnTo, 'factor'));
  }

  /** For forms that ask for the password themselves: people who have a second factor must also have used it. */
  async requireAnyFactor(request: Request, returnTo: string): Promise<SignedIn> {
    const signedIn = await this.require(request);
    if (!needsFactor(signedIn)) return signedIn;
    throw new SeeOther(confirmationPath(returnTo, 'factor'));
  }

  /** The state between password and second factor. */
  halfway(request: Request): Promise<HalfSignedIn | undefined> {
    return this.find(request, 'second-factor');
  }

  /**
   * Starts a session after a correct password, and ends any earlier one in this browser.
   *
   * @param user with the hash that the password was compared with.
   * @returns false if the password was changed since: that change ended all sessions, and this one would have escaped
   *   it.
   */
  async begin(
    request: Request,
    response: Response,
    { id: userId, passwordHash }: { id: string; passwordHash: string | null },
    stage: Stage,
  ): Promise<boolean> {
    await this.end(request, response);
    return await this.sessions.begin({
      secret: this.cookie.renew(response),
      userId,
      passwordHash,
      stage,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
      ip: request.ip ?? '',
    });
  }

  /** Completes the sign-in: the same session continues under a new secret. */
  async complete(response: Response, { sessionId }: HalfSignedIn, method: AuthenticationMethod): Promise<void> {
    await this.sessions.complete(sessionId, this.cookie.renew(response), method);
  }

  /** Renews the proof of identity after the password or a factor was given again, under a new secret. */
  async refresh(response: Response, signedIn: SignedIn, method: AuthenticationMethod): Promise<SignedIn> {
    const secret = this.cookie.renew(response);
    await this.sessions.changeSecret(signedIn.sessionId, secret);
    await this.noteProof(signedIn.sessionId, method);
    return { ...signedIn, formToken: formTokenOf(secret) };
  }

  /** What somebody has just proved their identity with. */
  noteProof(sessionId: string, method: AuthenticationMethod): Promise<void> {
    return this.sessions.noteProof(sessionId, method);
  }

  async end(request: Request, response: Response): Promise<void> {
    const secret = this.cookie.read(request);
    if (!secret) return;
    await this.sessions.delete(secret);
    this.cookie.clear(response);
  }

  endOne(userId: string, sessionId: string): Promise<void> {
    return this.sessions.deleteOne(userId, sessionId);
  }

  /** All sessions of a person except the one to keep. */
  endAll(userId: string, exceptSessionId?: string): Promise<number> {
    return this.sessions.deleteAll(userId, exceptSessionId);
  }

  /**
   * The same, with what the person or somebody else has started in them and a mailed link would complete.
   *
   * @returns how many sessions ended.
   */
  async signOutEverywhere(userId: string, exceptSessionId?: string): Promise<number> {
    await this.links.endAll(['reset', 'email-change'], userId);
    return await this.endAll(userId, exceptSessionId);
  }

  /**
   * Runs in the transaction of the action that a session permits: until it commits, no password change can end that
   * session.
   *
   * @throws SeeOther to the sign-in if a password change has ended it.
   */
  async lock(signedIn: SignedIn): Promise<void> {
    if (!(await this.sessions.lock(signedIn))) throw new SeeOther('/sign-in');
  }

  list(userId: string): Promise<SessionView[]> {
    return this.sessions.list(userId);
  }

  private async find(request: Request, stage: Stage): Promise<SignedIn | undefined> {
    const secret = this.cookie.read(request);
    if (!secret) return undefined;
    const found = await this.sessions.find(secret, stage);
    return found && { ...found, formToken: formTokenOf(secret) };
  }
}
