import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { type Changed, Cursors, Table, TenantDatabase, uuidIn } from '#persistence';
import { Grant } from './grant.entity.js';
import type { ListApplications } from './application.dto.js';

/** Approvals within one organization. */
@Injectable()
export class ApplicationsRepository {
  private readonly table: Table<Grant>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, Grant, cursors);
  }

  /** @param userId the person, or undefined for everyone. */
  listLive(orgId: string, userId: string | undefined, { limit, cursor, sort }: ListApplications): Promise<Page<Grant>> {
    const where = this.table.where(orgId).and('revoked_at is null');
    if (userId) where.and('user_id = ?', uuidIn(userId));
    return this.table.page(orgId, where, { limit, cursor, sort });
  }

  /** Takes the lock that every token request of the approval takes too. */
  findForChange(orgId: string, id: string): Promise<Grant | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(id)), 'for no key update');
  }

  /** Live approvals of applications that registered themselves, except the allowed ones; locked as for a change. */
  listSelfRegisteredForChange(orgId: string, allowedClientIds: readonly string[]): Promise<Grant[]> {
    const where = this.table.where(orgId).and('revoked_at is null and not verified');
    return this.table.find(orgId, where.and('client_id <> all (?)', allowedClientIds), 'order by id for no key update');
  }

  updateAll(grants: readonly Grant[], changes: Partial<Grant>): Promise<Changed<Grant>[]> {
    return this.table.updateAll(grants, changes);
  }

  update(grant: Grant, changes: Partial<Grant>): Promise<Grant> {
    return this.table.update(grant, changes);
  }
}
