import { Injectable } from '@nestjs/common';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Act } from '../../platform/audit/act.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { EventsService } from '../../platform/events/events.service.js';
import { actorOfPerson } from './member-of-person.js';
import { apiKeyRevoked } from './api-keys.events.js';
import { keysMade, workingKeysMade } from './made-keys.js';
import { revokeAbove } from './revoke-above.js';

/** A working key, as the person who created it recognizes it. */
export interface PersonKey {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  /** The name of the organization. */
  readonly organization: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly lastUsedFrom: string | null;
}

/** An organization that the person has left decides about the keys it kept. */
const madeByPerson = `exists (
  select 1 from members m
   where m.org_id = k.org_id and m.id = k.created_by and m.user_id = $1 and m.status = 'active')`;

const keyIds = idColumn('key');
const orgIds = idColumn('org');

/**
 * The working API keys that a person created in all their organizations, and those created with these. Keys outlive a
 * password change, because programs depend on them, so a person must be able to find those that somebody else created
 * in their name.
 */
@Injectable()
export class PersonKeys {
  constructor(
    private readonly database: SystemDatabase,
    private readonly events: EventsService,
    private readonly audit: AuditService,
  ) {}

  async list(userId: string): Promise<PersonKey[]> {
    const rows = await this.database.rows(
      `select k.id, k.org_id as "orgId", k.name, o.name as organization, k.created_at as "createdAt", k.last_used_at as "lastUsedAt",
              k.last_used_from as "lastUsedFrom"
         from (${keysMade(madeByPerson, '$2')}) made
         join api_keys k on k.org_id = made.org_id and k.id = made.id
         join organizations o on o.id = k.org_id
        order by k.created_at desc, k.id`,
      valuesFor(userId),
    );
    return rows.map((row) => ({
      ...(row as unknown as PersonKey),
      id: keyIds.from(row.id) as string,
      orgId: orgIds.from(row.orgId) as string,
    }));
  }

  /**
   * Revokes keys that the person created.
   *
   * @param act the person's action; each revocation is recorded as part of it.
   * @param chosen selects the keys.
   * @returns the number revoked.
   */
  async revoke(userId: string, act: Act, chosen: (key: PersonKey) => boolean): Promise<number> {
    return await this.database.transaction(async () => {
      await this.database.rows(workingKeysMade(madeByPerson, '$2'), valuesFor(userId));
      const ids = (await this.list(userId)).filter(chosen).map(({ id }) => uuidIn(id));
      for (const { before, after } of await revokeAbove(this.database, ids, 'requested')) {
        const actor = await actorOfPerson(this.database, after.orgId, userId);
        await this.audit.during(act, () => this.events.recordAbove(actor, apiKeyRevoked, after, before));
      }
      return ids.length;
    });
  }
}

const valuesFor = (userId: string): string[] => [uuidIn(userId), new Date().toISOString()];
