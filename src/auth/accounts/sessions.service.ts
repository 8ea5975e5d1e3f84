import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { idColumn, newId, uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import { formTokenOf } from '../../platform/pages/forms.service.js';
import { pathWith, SeeOther } from '../../platform/pages/see-other.js';
import {
  absoluteMs,
  confirmationPath,
  type HalfSignedIn,
  idleMs,
  isFactorFresh,
  isFresh,
  needsFactor,
  secondStepMs,
  type SessionView,
  type SignedIn,
} from './session.js';
import { type AuthenticationMethod } from '../../tenancy/people/authentication.js';
import { HeldForm } from './held-form.js';
import { SessionCookie } from './session-cookie.js';

type Stage = 'second-factor' | 'signed-in';

const touchEveryMs = 60_000;
const ids = { session: idColumn('session'), user: idColumn('user') };
const ahead = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

/** Finds the signed-in person by the request's cookie. Only the hash of the cookie's secret is kept. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: SystemDatabase,
    private readonly keyring: Keyring,
    private readonly cookie: SessionCookie,
    private readonly held: HeldForm,
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
    const now = new Date().toISOString();
    await this.database.rows('delete from sessions where user_id = $1 and (expires_at <= $2 or last_seen_at <= $3)', [
      uuidIn(userId),
      now,
      ahead(-idleMs),
    ]);
    const begun = await this.database.rows(
      `insert into sessions (id, hash, user_id, stage, user_agent, ip, password_at, authenticated_at, authenticated_with,
                             created_at, last_seen_at, expires_at)
       select $1::uuid, $2::bytea, u.id, $4::text, $5::text, $6::text, $7::timestamptz, $7::timestamptz,
              array['password'], $7::timestamptz, $7::timestamptz, $8::timestamptz
         from users u where u.id = $3 and u.password_hash = $9 for share
       returning 1`,
      [
        uuidIn(newId('session')),
        this.keyring.hash(this.cookie.renew(response)),
        uuidIn(userId),
        stage,
        (request.headers['user-agent'] ?? '').slice(0, 300),
        request.ip ?? '',
        now,
        ahead(stage === 'signed-in' ? absoluteMs : secondStepMs),
        passwordHash,
      ],
    );
    return begun.length === 1;
  }

  /** Completes the sign-in: the same session continues under a new secret. */
  async complete(response: Response, { sessionId }: HalfSignedIn, method: AuthenticationMethod): Promise<void> {
    await this.database.rows(
      `update sessions set hash = $2, stage = 'signed-in', challenge = null, last_seen_at = $3, authenticated_at = $3,
              factor_at = $3, authenticated_with = array['password', $5], expires_at = $4 where id = $1`,
      [uuidIn(sessionId), this.keyring.hash(this.cookie.renew(response)), ahead(0), ahead(absoluteMs), method],
    );
  }

  /** Renews the proof of identity after the password or a factor was given again, under a new secret. */
  async refresh(response: Response, signedIn: SignedIn, method: AuthenticationMethod): Promise<SignedIn> {
    const secret = this.cookie.renew(response);
    await this.database.rows('update sessions set hash = $2, challenge = null where id = $1', [
      uuidIn(signedIn.sessionId),
      this.keyring.hash(secret),
    ]);
    await this.noteProof(signedIn.sessionId, method);
    return { ...signedIn, formToken: formTokenOf(secret) };
  }

  /** What somebody has just proved their identity with. */
  async noteProof(sessionId: string, method: AuthenticationMethod): Promise<void> {
    await this.database.rows(
      `update sessions set authenticated_at = $2, ${method === 'password' ? 'password_at' : 'factor_at'} = $2,
              authenticated_with = case when authenticated_with is null or $3 = any(authenticated_with) then authenticated_with
                                        else authenticated_with || $3::text end
        where id = $1`,
      [uuidIn(sessionId), ahead(0), method],
    );
  }

  async end(request: Request, response: Response): Promise<void> {
    const secret = this.cookie.read(request);
    if (!secret) return;
    await this.database.rows('delete from sessions where hash = any($1)', [this.keyring.hashes(secret)]);
    this.cookie.clear(response);
  }

  async endOne(userId: string, sessionId: string): Promise<void> {
    await this.database.rows('delete from sessions where user_id = $1 and id::text = $2', [
      uuidIn(userId),
      hyphenated(sessionId),
    ]);
  }

  /** All sessions of a person except the one to keep. */
  async endAll(userId: string, exceptSessionId?: string): Promise<number> {
    const ended = await this.database.rows(
      'delete from sessions where user_id = $1 and id is distinct from $2 returning stage',
      [uuidIn(userId), exceptSessionId ? uuidIn(exceptSessionId) : null],
    );
    return ended.filter(({ stage }) => stage === 'signed-in').length;
  }

  /**
   * Runs in the transaction of the action that a session permits: until it commits, no password change can end that
   * session.
   *
   * @throws SeeOther to the sign-in if a password change has ended it.
   */
  async lock({ sessionId, userId }: SignedIn): Promise<void> {
    await this.database.rows('select 1 from users where id = $1 for share', [uuidIn(userId)]);
    const [live] = await this.database.rows('select 1 from sessions where id = $1', [uuidIn(sessionId)]);
    if (!live) throw new SeeOther('/sign-in');
  }

  async list(userId: string): Promise<SessionView[]> {
    const rows = await this.database.rows(
      `select id, user_agent as "userAgent", ip, created_at as "createdAt", last_seen_at as "lastSeenAt" from sessions
        where user_id = $1 and stage = 'signed-in' and expires_at > $2 and last_seen_at > $3 order by last_seen_at desc`,
      [uuidIn(userId), ahead(0), ahead(-idleMs)],
    );
    return rows.map((row) => ({ ...row, id: ids.session.from(row.id) as string }) as SessionView);
  }

  private async find(request: Request, stage: Stage): Promise<SignedIn | undefined> {
    const secret = this.cookie.read(request);
    if (!secret) return undefined;
    const [row] = await this.database.rows(
      `select s.id, s.user_id, s.last_seen_at, s.password_at as "passwordAt", s.factor_at as "factorAt",
              coalesce(s.authenticated_at, s.password_at) as "authenticatedAt",
              s.authenticated_with as "authenticatedWith", u.email, u.name, u.has_second_factor as "hasSecondFactor"
         from sessions s join users u on u.id = s.user_id
        where s.hash = any($1) and s.stage = $2 and s.expires_at > $3 and s.last_seen_at > $4`,
      [this.keyring.hashes(secret), stage, ahead(0), ahead(-idleMs)],
    );
    if (!row) return undefined;
    if (Date.now() - Date.parse(row.last_seen_at as string) > touchEveryMs) await this.touch(row.id as string);
    const { id, user_id: userId, last_seen_at: _, ...known } = row;
    return {
      ...(known as unknown as Omit<SignedIn, 'sessionId' | 'userId' | 'formToken'>),
      sessionId: ids.session.from(id) as string,
      userId: ids.user.from(userId) as string,
      formToken: formTokenOf(secret),
    };
  }

  private async touch(id: string): Promise<void> {
    await this.database.rows('update sessions set last_seen_at = $2 where id = $1', [id, ahead(0)]);
  }
}

/** A UUID in Postgres' form; other text matches no row. */
const hyphenated = (id: string): string => uuidIn(id).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
