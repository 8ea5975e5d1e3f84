import { type Changed, RowImages } from '#persistence';
import type { SystemDatabase } from '#system-database';
import type { RevocationReason } from './api-key.dto.js';
import { ApiKey } from './api-key.entity.js';

/** Revokes keys that the current transaction above the organizations has locked. @returns them in the order of their ids. */
export async function revokeAbove(
  database: SystemDatabase,
  ids: readonly string[],
  revokedBecause: RevocationReason,
): Promise<Changed<ApiKey>[]> {
  const images = new RowImages(database.dataSource, ApiKey);
  const rows = await database.rows(
    `update api_keys set revoked_at = $2, revoked_because = $3, updated_at = $2, version = version + 1
      where id = any($1::uuid[]) returning ${images.columns}`,
    [ids, new Date().toISOString(), revokedBecause],
  );
  return images.read(rows).toSorted((one, other) => (one.after.id < other.after.id ? -1 : 1));
}
