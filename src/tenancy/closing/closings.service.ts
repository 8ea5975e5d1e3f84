import { Injectable } from '@nestjs/common';
import { conflict } from '#errors';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Act } from '../../platform/audit/act.js';
import { AuditService } from '../../platform/audit/audit.service.js';

const dayMs = 86_400_000;
/** How long a closed organization can be reopened; then its data is erased. */
export const reopenableMs = 30 * dayMs;

/** An organization as its owner sees it, open or closed. */
export interface OwnedOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly requireTwoFactor: boolean;
  /** Until when it can be reopened; null while it is open. */
  readonly reopenableUntil: string | null;
}

const orgIds = idColumn('org');

/** Closing an organization, and reopening it within 30 days. While it is closed, no key, token or page works in it. */
@Injectable()
export class Closings {
  constructor(
    private readonly database: SystemDatabase,
    private readonly audit: AuditService,
  ) {}

  /** Those that the person owns with access to everything, and that are not erased. */
  async ownedBy(userId: string): Promise<OwnedOrganization[]> {
    const rows = await this.database.rows(
      `select o.id, o.name, o.slug, o.require_two_factor, o.closed_at from organizations o
         join members m on m.org_id = o.id and m.user_id = $1 and m.status = 'active' and m.property_ids is null
         join roles r on r.org_id = m.org_id and r.id = m.role_id and r.built_in = 'owner'
        where o.erased_at is null and o.status <> 'suspended' order by o.name, o.id`,
      [uuidIn(userId)],
    );
    return rows.map(({ id, name, slug, require_two_factor: requireTwoFactor, closed_at: closedAt }) => ({
      id: orgIds.from(id) as string,
      name: name as string,
      slug: slug as string,
      requireTwoFactor: requireTwoFactor as boolean,
      reopenableUntil: closedAt ? endOf(closedAt as string) : null,
    }));
  }

  /** @throws conflict_error unless it is open. */
  async close(orgId: string, act: Act): Promise<void> {
    const now = new Date().toISOString();
    await this.change(orgId, act, {
      set: `status = 'closed', closed_at = $2 where id = $1 and status = 'active'`,
      value: now,
      from: 'active',
      to: 'closed',
      refusal: 'Only an active organization can be closed.',
    });
  }

  /** @throws conflict_error unless it was closed in the last 30 days. */
  async reopen(orgId: string, act: Act): Promise<void> {
    await this.change(orgId, act, {
      set: `status = 'active', closed_at = null
             where id = $1 and status = 'closed' and erased_at is null and closed_at > $2`,
      value: new Date(Date.now() - reopenableMs).toISOString(),
      from: 'closed',
      to: 'active',
      refusal: 'Only an organization that was closed in the last 30 days can be reopened.',
    });
  }

  private async change(orgId: string, act: Act, { set, value, from, to, refusal }: Change): Promise<void> {
    await this.database.transaction(async () => {
      const changed = await this.database.rows(
        `update organizations set version = version + 1, updated_at = $3, ${set} returning 1`,
        [uuidIn(orgId), value, new Date().toISOString()],
      );
      if (changed.length === 0) throw conflict('ORGANIZATION_STATUS', refusal);
      const target = { type: 'organization', id: orgId };
      await this.audit.record(orgId, { target, before: { status: from }, after: { status: to } }, act);
    });
  }
}

interface Change {
  set: string;
  value: string;
  from: string;
  to: string;
  refusal: string;
}

const endOf = (closedAt: string): string => new Date(Date.parse(closedAt) + reopenableMs).toISOString();
