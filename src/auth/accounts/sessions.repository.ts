import { Injectable } from '@nestjs/common';
import { idColumn, newId, uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import { type AuthenticationMethod } from '../../tenancy/people/authentication.js';
import { absoluteMs, idleMs, secondStepMs, type SessionView, type SignedIn, type Stage } from './session.js';

const touchEveryMs = 60_000;
const ids = { session: idColumn('session'), user: idColumn('user') };
const ahead = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

/** A session that begins, with the hash that the password was compared with. */
export interface NewSession {
  secret: string;
  userId: string;
  passwordHash: string | null;
  stage: Stage;
  userAgent: string;
  ip: string;
}

/** Sessions by the secret in their browser's cookie, of which only the hash is kept. */
@Injectable()
export class SessionsRepository {
  constructor(
    private readonly database: SystemDatabase,
    private readonly keyring: Keyring,
  ) {}

  /** Being found counts as use, which is noted at most once a minute. */
  async find(secret: string, stage: Stage): Promise<Omit<SignedIn, 'formToken'> | undefined> {
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
    };
  }

  private async touch(id: string): Promise<void> {
    await this.database.rows('update sessions set last_seen_at = $2 where id = $1', [id, ahead(0)]);
  }

  async list(userId: string): Promise<SessionView[]> {
    const rows = await this.database.rows(
      `select id, user_agent as "userAgent", ip, created_at as "createdAt", last_seen_at as "lastSeenAt" from sessions
        where user_id = $1 and stage = 'signed-in' and expires_at > $2 and last_seen_at > $3 order by last_seen_at desc`,
      [uuidIn(userId), ahead(0), ahead(-idleMs)],
    );
    return rows.map((row) => ({ ...row, id: ids.session.from(row.id) as string }) as SessionView);
  }

  /** @returns false if the password was changed since it was compared. */
  async begin({ secret, userId, passwordHash, stage, userAgent, ip }: NewSession): Promise<boolean> {
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
        this.keyring.hash(secret),
        uuidIn(userId),
        stage,
        userAgent,
        ip,
        now,
        ahead(stage === 'signed-in' ? absoluteMs : secondStepMs),
        passwordHash,
      ],
    );
    return begun.length === 1;
  }

  async complete(sessionId: string, secret: string, method: AuthenticationMethod): Promise<void> {
    await this.database.rows(
      `update sessions set hash = $2, stage = 'signed-in', challenge = null, last_seen_at = $3, authenticated_at = $3,
              factor_at = $3, authenticated_with = array['password', $5], expires_at = $4 where id = $1`,
      [uuidIn(sessionId), this.keyring.hash(secret), ahead(0), ahead(absoluteMs), method],
    );
  }

  async changeSecret(sessionId: string, secret: string): Promise<void> {
    await this.database.rows('update sessions set hash = $2, challenge = null where id = $1', [
      uuidIn(sessionId),
      this.keyring.hash(secret),
    ]);
  }

  async noteProof(sessionId: string, method: AuthenticationMethod): Promise<void> {
    await this.database.rows(
      `update sessions set authenticated_at = $2, ${method === 'password' ? 'password_at' : 'factor_at'} = $2,
              authenticated_with = case when authenticated_with is null or $3 = any(authenticated_with) then authenticated_with
                                        else authenticated_with || $3::text end
        where id = $1`,
      [uuidIn(sessionId), ahead(0), method],
    );
  }

  async delete(secret: string): Promise<void> {
    await this.database.rows('delete from sessions where hash = any($1)', [this.keyring.hashes(secret)]);
  }

  async deleteOne(userId: string, sessionId: string): Promise<void> {
    await this.database.rows('delete from sessions where user_id = $1 and id::text = $2', [
      uuidIn(userId),
      hyphenated(sessionId),
    ]);
  }

  async deleteAll(userId: string, exceptSessionId?: string): Promise<number> {
    const ended = await this.database.rows(
      'delete from sessions where user_id = $1 and id is distinct from $2 returning stage',
      [uuidIn(userId), exceptSessionId ? uuidIn(exceptSessionId) : null],
    );
    return ended.filter(({ stage }) => stage === 'signed-in').length;
  }

  /** @returns whether the session is there; it remains until the transaction ends. */
  async lock({ sessionId, userId }: SignedIn): Promise<boolean> {
    await this.database.rows('select 1 from users where id = $1 for share', [uuidIn(userId)]);
    return (await this.database.rows('select 1 from sessions where id = $1', [uuidIn(sessionId)])).length > 0;
  }
}

/** A UUID in Postgres' form; other text matches no row. */
const hyphenated = (id: string): string => uuidIn(id).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
