import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { idColumn, newId, uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import { formTokenOf } from '../pages/forms.service.js';
import { pathWith, SeeOther } from '../pages/see-other.js';
import { absoluteMs, type HalfSignedIn, idleMs, secondStepMs, type SessionView, type SignedIn } from './session.js';
import { SessionCookie } from './session-cookie.js';

type Stage = 'second-factor' | 'signed-in';

const touchEveryMs = 60_000;
const ids = { session: idColumn('session'), user: idColumn('user') };
const ahead = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

/** Who is signed in, by the cookie of the request. Of the cookie's secret only the hash is kept. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: SystemDatabase,
    private readonly keyring: Keyring,
    private readonly cookie: SessionCookie,
  ) {}

  current(request: Request): Promise<SignedIn | undefined> {
    return this.find(request, 'signed-in');
  }

  /** @throws SeeOther to the sign-in, which leads back here. */
  async require(request: Request): Promise<SignedIn> {
    const signedIn = await this.current(request);
    if (signedIn) return signedIn;
    throw new SeeOther(
      request.method === 'GET' ? pathWith('/sign-in', { return_to: request.originalUrl }) : '/sign-in',
    );
  }

  /** Between password and second factor. */
  halfway(request: Request): Promise<HalfSignedIn | undefined> {
    return this.find(request, 'second-factor');
  }

  /** Begins a session, after a right password; whatever this browser had before ends. */
  async begin(request: Request, response: Response, userId: string, stage: Stage): Promise<void> {
    await this.end(request, response);
    const now = new Date().toISOString();
    await this.database.rows('delete from sessions where user_id = $1 and (expires_at <= $2 or last_seen_at <= $3)', [
      uuidIn(userId),
      now,
      ahead(-idleMs),
    ]);
    await this.database.rows(
      `insert into sessions (id, hash, user_id, stage, user_agent, ip, password_at, created_at, last_seen_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7, $7, $8)`,
      [
        uuidIn(newId('session')),
        this.keyring.hash(this.cookie.renew(response)),
        uuidIn(userId),
        stage,
        (request.headers['user-agent'] ?? '').slice(0, 300),
        request.ip ?? '',
        now,
        ahead(stage === 'signed-in' ? absoluteMs : secondStepMs),
      ],
    );
  }

  /** The second factor was right: the same session, under a new secret. */
  async complete(response: Response, { sessionId }: HalfSignedIn): Promise<void> {
    await this.database.rows(
      `update sessions set hash = $2, stage = 'signed-in', challenge = null, last_seen_at = $3, expires_at = $4 where id = $1`,
      [uuidIn(sessionId), this.keyring.hash(this.cookie.renew(response)), ahead(0), ahead(absoluteMs)],
    );
  }

  /** The password was typed again: fresh for a while, under a new secret. */
  async refresh(response: Response, { sessionId }: SignedIn): Promise<void> {
    await this.database.rows('update sessions set hash = $2, password_at = $3 where id = $1', [
      uuidIn(sessionId),
      this.keyring.hash(this.cookie.renew(response)),
      ahead(0),
    ]);
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

  /** All sessions of a person, but the one that is to stay. */
  async endAll(userId: string, exceptSessionId?: string): Promise<void> {
    await this.database.rows('delete from sessions where user_id = $1 and id is distinct from $2', [
      uuidIn(userId),
      exceptSessionId ? uuidIn(exceptSessionId) : null,
    ]);
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
      `select s.id, s.user_id, s.last_seen_at, s.password_at as "passwordAt", u.email, u.name
         from sessions s join users u on u.id = s.user_id
        where s.hash = any($1) and s.stage = $2 and s.expires_at > $3 and s.last_seen_at > $4`,
      [this.keyring.hashes(secret), stage, ahead(0), ahead(-idleMs)],
    );
    if (!row) return undefined;
    if (Date.now() - Date.parse(row.last_seen_at as string) > touchEveryMs) await this.touch(row.id as string);
    const { passwordAt, email, name } = row as { passwordAt: string; email: string; name: string };
    return {
      sessionId: ids.session.from(row.id) as string,
      userId: ids.user.from(row.user_id) as string,
      email,
      name,
      passwordAt,
      formToken: formTokenOf(secret),
    };
  }

  private async touch(id: string): Promise<void> {
    await this.database.rows('update sessions set last_seen_at = $2 where id = $1', [id, ahead(0)]);
  }
}

/** A UUID as Postgres writes it; what is none matches no row. */
const hyphenated = (id: string): string => uuidIn(id).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
