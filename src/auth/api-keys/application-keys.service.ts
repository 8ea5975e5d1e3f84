import { Injectable } from '@nestjs/common';
import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Act } from '../../platform/audit/act.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import type { Actor } from '../../platform/callers/act.dto.js';
import { EventsService } from '../../platform/events/events.service.js';
import { actorOfPerson } from './member-of-person.js';
import type { ApiKey } from './api-key.entity.js';
import { apiKeyRevoked } from './api-keys.events.js';
import { workingKeysMade } from './made-keys.js';
import { revokeAbove } from './revoke-above.js';

/** An approval of an application, by its organization and its id. */
interface Approval {
  orgId: string;
  id: string;
}

const madeThrough = workingKeysMade('k.org_id = $1 and k.application_id = $2', '$3');
const madeForPerson = workingKeysMade(
  'exists (select 1 from oauth_grants g where g.org_id = k.org_id and g.id = k.application_id and g.user_id = $1)',
  '$2',
);

/**
 * The keys that applications created, across organizations. They end with the approval of their application, and with a
 * person's password. Joins the current transaction above the organizations, or opens one.
 */
@Injectable()
export class ApplicationKeys {
  constructor(
    private readonly database: SystemDatabase,
    private readonly events: EventsService,
    private readonly audit: AuditService,
  ) {}

  /** Revokes the keys that an application created under one approval. @param actor whom their events name. */
  async revokeOfApproval({ orgId, id }: Approval, act: Act, actor: Actor): Promise<void> {
    await this.revokeAll(madeThrough, [uuidIn(orgId), uuidIn(id)], act, () => Promise.resolve(actor));
  }

  /**
   * Revokes the keys that applications created for a person, in every organization, including those of lapsed
   * approvals. Used when a password is changed or reset.
   *
   * @param act the person's action; each revocation is recorded as part of it.
   * @returns the keys that worked until then.
   */
  revokeOfPerson(userId: string, act: Act): Promise<ApiKey[]> {
    return this.revokeAll(madeForPerson, [uuidIn(userId)], act, (orgId) => actorOfPerson(this.database, orgId, userId));
  }

  /**
   * An approval that replaces another takes over its keys, because approving an application again must not disconnect
   * it.
   */
  async handOver(from: Approval, to: Approval): Promise<void> {
    await this.database.rows('update api_keys set application_id = $3 where org_id = $1 and application_id = $2', [
      uuidIn(from.orgId),
      uuidIn(from.id),
      uuidIn(to.id),
    ]);
  }

  /** Repeats until no keys are left, because a key that was waited for may have created another. */
  private async revokeAll(
    query: string,
    values: string[],
    act: Act,
    actorIn: (orgId: string) => Promise<Actor>,
  ): Promise<ApiKey[]> {
    return await this.database.transaction(async () => {
      const revoked: ApiKey[] = [];
      const list = async () => await this.database.rows(query, [...values, new Date().toISOString()]);
      for (let rows = await list(); rows.length > 0; rows = await list()) {
        const ids = rows.map(({ id }) => id as string);
        const keys = await revokeAbove(this.database, ids, 'application-ended');
        for (const { before, after } of keys) {
          const actor = await actorIn(after.orgId);
          await this.audit.during(act, () => this.events.recordAbove(actor, apiKeyRevoked, after, before));
          revoked.push(after);
        }
      }
      return revoked;
    });
  }
}
