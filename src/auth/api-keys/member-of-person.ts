import { idColumn, uuidIn } from '#persistence';
import type { SystemDatabase } from '#system-database';
import type { Actor } from '../../platform/callers/act.dto.js';

const memberIds = idColumn('member');

/** The member as which a person acts in an organization, or last acted. */
export async function memberOfPerson(
  database: SystemDatabase,
  orgId: string,
  userId: string,
): Promise<string | undefined> {
  const [row] = await database.rows(
    `select id from members where org_id = $1 and user_id = $2 order by status = 'removed', id limit 1`,
    [uuidIn(orgId), uuidIn(userId)],
  );
  return row && (memberIds.from(row.id) as string);
}

/** The same member as events name it: the service, if the person was never a member. */
export async function actorOfPerson(database: SystemDatabase, orgId: string, userId: string): Promise<Actor> {
  const id = await memberOfPerson(database, orgId, userId);
  return id ? { type: 'member', id } : { type: 'service' };
}
