import type { SystemDatabase } from '#system-database';
import type { RevocationReason } from './api-key.dto.js';
import { ApiKey } from './api-key.entity.js';

/** Revokes keys that the current transaction above the organizations has locked. @returns them as they are then. */
export async function revokeAbove(
  { manager }: SystemDatabase,
  ids: readonly string[],
  revokedBecause: RevocationReason,
): Promise<ApiKey[]> {
  const now = new Date().toISOString();
  await manager
    .createQueryBuilder()
    .update(ApiKey)
    .set({ revokedAt: now, revokedBecause, updatedAt: now, version: () => 'version + 1' })
    .where('id = any(:ids)', { ids })
    .execute();
  return await manager.createQueryBuilder(ApiKey, 'k').where('k.id = any(:ids)', { ids }).orderBy('k.id').getMany();
}
