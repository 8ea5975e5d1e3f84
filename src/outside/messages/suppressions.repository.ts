import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn } from '#persistence';
import type { ListSuppressions } from './suppression.dto.js';
import { Suppression } from './suppression.entity.js';

@Injectable()
export class SuppressionsRepository {
  private readonly table: Table<Suppression>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, Suppression, cursors);
  }

  find(orgId: string, suppressionId: string): Promise<Suppression | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(suppressionId)), 'for update');
  }

  /** @param hashes of one address, one for each known pepper. */
  findByHash(orgId: string, hashes: Buffer[]): Promise<Suppression | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('address_hash = any(?::bytea[])', hashes));
  }

  list(orgId: string, filters: ListSuppressions, hashes?: Buffer[]): Promise<Page<Suppression>> {
    const { reason, limit, cursor, sort } = filters;
    const where = this.table.where(orgId).when(hashes, 'address_hash = any(?::bytea[])').when(reason, 'reason = ?');
    return this.table.page(orgId, where, { limit, cursor, sort });
  }

  /** Inserts it; false if the address is already suppressed. */
  insertOnce(suppression: Suppression): Promise<boolean> {
    return this.table.insertUnlessThere(suppression);
  }

  delete({ orgId, id }: Suppression): Promise<void> {
    return this.table.delete(orgId, id);
  }
}
