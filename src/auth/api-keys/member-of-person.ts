import { idColumn, uuidIn } from '#persistence';
import type { SystemDatabase } from '#system-database';
import type { Actor } from '../../events/event.dto.js';

const memberIds = idColumn('member');

/** As which member a person acts in an organization, or acted last. */
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

/** The same, as whom events name: the service where the person never was a member. */
export async function actorOfPerson(database: SystemDatabase, orgId: string, userId: string): Promise<Actor> {
  const id = await memberOfPerson(database, orgId, userId);
  return id ? { type: 'member', id } : { type: 'service' };
}
