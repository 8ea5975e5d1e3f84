import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { containing, Cursors, idsCalled, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import type { ListProperties } from './property.dto.js';
import { Property } from './property.entity.js';

const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  name: { asc: 'name', desc: 'name' },
};

@Injectable()
export class PropertiesRepository {
  private readonly table: Table<Property>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, Property, cursors);
  }

  find(caller: Caller, propertyId: string): Promise<Property | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(propertyId)));
  }

  findForChange(caller: Caller, propertyId: string): Promise<Property | undefined> {
    return this.table.findOne(
      caller.orgId,
      this.visibleTo(caller).and('id = ?', uuidIn(propertyId)),
      'for no key update',
    );
  }

  /** The given properties, locked against changes until the transaction ends. */
  findLocked(caller: Caller, propertyIds: readonly string[]): Promise<Property[]> {
    const where = this.visibleTo(caller).and('id = any(?::uuid[])', propertyIds.map(uuidIn));
    return this.table.find(caller.orgId, where, 'order by id for share');
  }

  list(caller: Caller, { q, limit, cursor, sort, archived, updatedSince }: ListProperties): Promise<Page<Property>> {
    const where = this.visibleTo(caller)
      .searching(q && containing(q), { newest: 'name ilike ?', indexed: `id = any(${idsCalled('properties')})` })
      .whenWithin(updatedSince, 'updated_at >= ?::timestamptz');
    if (archived !== undefined || updatedSince === undefined)
      where.and(`archived_at is ${archived ? 'not null' : 'null'}`);
    return this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
  }

  insert(property: Property): Promise<Property> {
    return this.table.insert(property);
  }

  update(property: Property, changes: Partial<Property>): Promise<Property> {
    return this.table.update(property, changes);
  }

  /** The properties of the organization that the credential can see. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'id = any(?::uuid[])');
  }
}
