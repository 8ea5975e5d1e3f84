import { Injectable } from '@nestjs/common';
import { newId, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';

/** Who did it: a member, a person, an application, or the service itself. */
export interface Actor {
  type: 'member' | 'user' | 'application' | 'service';
  id?: string;
  /** The application that acted for a person. */
  clientId?: string;
}

export interface AuditRecord {
  actor: Actor;
  /** The operation's name. */
  action: string;
  target: { type: string; id: string };
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  requestId?: string;
}

/** Writes what happened beside what changed, in the same transaction; rows are only ever added. */
@Injectable()
export class AuditService {
  constructor(
    private readonly tenant: TenantDatabase,
    private readonly system: SystemDatabase,
  ) {}

  /** What happened in an organization. */
  async record(orgId: string, { actor, action, target, before, after, requestId }: AuditRecord): Promise<void> {
    const text = `insert into audit_entries (org_id, id, actor, action, target, before, after, request_id, created_at)
                  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
    const values = [
      uuidIn(orgId),
      uuidIn(newId('audit')),
      JSON.stringify(actor),
      action,
      JSON.stringify(target),
      before && JSON.stringify(before),
      after && JSON.stringify(after),
      requestId,
      new Date().toISOString(),
    ];
    await (this.tenant.inTransaction ? this.tenant.rows(orgId, text, values) : this.system.rows(text, values));
  }

  /** What happened before or above any organization. */
  async recordAbove({ actor, action, target, after, requestId }: Omit<AuditRecord, 'before'>): Promise<void> {
    await this.system.rows(
      `insert into security_events (id, actor, action, target, details, request_id, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        uuidIn(newId('event')),
        JSON.stringify(actor),
        action,
        JSON.stringify(target),
        after && JSON.stringify(after),
        requestId,
        new Date().toISOString(),
      ],
    );
  }
}
