import { Injectable } from '@nestjs/common';
import { hashOfRandom } from '#secrets';
import { SystemDatabase } from '#system-database';

/**
 * Authorizations in progress. The id grants access to one, so only its hash is kept, and the id is removed from the
 * payload too.
 */
@Injectable()
export class InteractionsRepository {
  constructor(private readonly database: SystemDatabase) {}

  async find(uid: string): Promise<Record<string, unknown> | undefined> {
    const [row] = await this.database.rows(
      'select payload from oauth_interactions where hash = $1 and expires_at > $2',
      [hashOfRandom(uid), new Date().toISOString()],
    );
    if (!row) return undefined;
    const payload = row.payload as { returnTo: string };
    return { ...payload, jti: uid, returnTo: payload.returnTo + uid };
  }

  /** Locks it, if it exists, until the current transaction ends. */
  async lock(uid: string): Promise<void> {
    await this.database.rows('select 1 from oauth_interactions where hash = $1 for update', [hashOfRandom(uid)]);
  }

  /** The address to return to ends with the id. */
  async save(uid: string, payload: Record<string, unknown>, secondsToLive: number): Promise<void> {
    const { jti: _, ...kept } = payload;
    const returnTo = (payload.returnTo as string).slice(0, -uid.length);
    await this.database.rows(
      `insert into oauth_interactions (hash, payload, expires_at) values ($1, $2, $3)
       on conflict (hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
      [
        hashOfRandom(uid),
        JSON.stringify({ ...kept, returnTo }),
        new Date(Date.now() + secondsToLive * 1_000).toISOString(),
      ],
    );
  }

  /** @returns whether this call deleted it, among several concurrent ones. */
  async delete(uid: string): Promise<boolean> {
    const rows = await this.database.rows('delete from oauth_interactions where hash = $1 returning 1', [
      hashOfRandom(uid),
    ]);
    return rows.length > 0;
  }
}
