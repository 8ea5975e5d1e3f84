import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn } from '#persistence';
import type { ListApiKeys } from './api-key.dto.js';
import { ApiKey } from './api-key.entity.js';

const endsAt = `coalesce(revoked_at, expires_at, 'infinity')`;
/** By its end, descending, those that work come before those that do not, and stay so while someone pages. */
const sortable = { endsAt: { asc: endsAt, desc: endsAt } };

@Injectable()
export class ApiKeysRepository {
  private readonly table: Table<ApiKey>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, ApiKey, cursors);
  }

  find(orgId: string, id: string): Promise<ApiKey | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(id)));
  }

  findForChange(orgId: string, id: string): Promise<ApiKey | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(id)), 'for no key update');
  }

  list(orgId: string, { limit, cursor, sort }: ListApiKeys): Promise<Page<ApiKey>> {
    return this.table.page(orgId, this.table.where(orgId), { limit, cursor, sort }, sortable);
  }

  insert(key: ApiKey): Promise<ApiKey> {
    return this.table.insert(key);
  }

  update(key: ApiKey, changes: Partial<ApiKey>): Promise<ApiKey> {
    return this.table.update(key, changes);
  }
}
