import { Injectable } from '@nestjs/common';
import { uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import type { Trace } from '../../../platform/audit/act.js';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { EventsService } from '../../../platform/events/events.service.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import type { ApiKey } from '../api-key.entity.js';
import { apiKeyRevoked } from '../api-keys.events.js';
import { revokeAbove } from '../revoke-above.js';
import { leakedKeyMail } from './leaked-key-mail.js';
import { reportFailed } from './leaked-keys.errors.js';

const workingKeys = `
  select id from api_keys
   where hash = any($1) and revoked_at is null and (expires_at is null or expires_at > $2) for no key update`;

const ownersOf = `
  select m.email from members m join roles r on r.org_id = m.org_id and r.id = m.role_id
   where m.org_id = $1 and r.built_in = 'owner' and m.status = 'active' and m.email is not null order by m.id`;

const service = { type: 'service' } as const;

/**
 * Revokes API keys that were found in public. It takes the whole key, so nobody can revoke a key that they do not have.
 */
@Injectable()
export class LeakedKeys {
  constructor(
    private readonly database: SystemDatabase,
    private readonly keyring: Keyring,
    private readonly events: EventsService,
    private readonly audit: AuditService,
    private readonly mail: MailService,
  ) {}

  /**
   * Revokes the key if it works in this cell, and writes to the owners.
   *
   * @throws service_unavailable if the report has to be sent again.
   */
  async report(key: string, trace: Trace): Promise<void> {
    const act = { action: 'reportLeakedKey', actor: service, ...trace };
    await this.database
      .transaction(async () => {
        const rows = await this.database.rows(workingKeys, [this.keyring.hashes(key), new Date().toISOString()]);
        if (rows.length === 0) return;
        const ids = rows.map(({ id }) => id as string);
        for (const { before, after } of await revokeAbove(this.database, ids, 'leaked')) {
          await this.audit.during(act, () => this.events.recordAbove(service, apiKeyRevoked, after, before));
          await this.notifyOwners(after);
        }
      })
      .catch((error: unknown) => {
        throw reportFailed(error);
      });
  }

  private async notifyOwners(key: ApiKey): Promise<void> {
    const owners = await this.database.rows(ownersOf, [uuidIn(key.orgId)]);
    for (const { email } of owners) await this.mail.queue(leakedKeyMail(email as string, key));
  }
}
