import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { called, containing, Cursors, Table, TenantDatabase, uuidIn } from '#persistence';
import { referredTo } from '../references/referred-to.js';
import type { ListAllUnits, ListUnits } from './unit.dto.js';
import { Unit } from './unit.entity.js';

const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  name: { asc: 'name', desc: 'name' },
};

/** Units are reached through their property, which the credential must see. */
@Injectable()
export class UnitsRepository {
  private readonly table: Table<Unit>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, Unit, cursors);
  }

  find(orgId: string, propertyId: string, unitId: string): Promise<Unit | undefined> {
    return this.table.findOne(orgId, this.of(orgId, propertyId).and('id = ?', uuidIn(unitId)));
  }

  /** At any property that the caller can see. */
  findAny({ orgId, propertyIds }: Caller, unitId: string): Promise<Unit | undefined> {
    const where = this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
    return this.table.findOne(orgId, where.and('id = ?', uuidIn(unitId)));
  }

  findMany({ orgId, propertyIds }: Caller, ids: readonly string[]): Promise<Unit[]> {
    const where = this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
    return this.table.find(orgId, where.and('id = any(?::uuid[])', ids.map(uuidIn)));
  }

  /** Units of any property, locked until the transaction ends: other changes to them wait. */
  findLocked(orgId: string, unitIds: readonly string[]): Promise<Unit[]> {
    const where = this.table.where(orgId).and('id = any(?::uuid[])', unitIds.map(uuidIn));
    return this.table.find(orgId, where, 'order by id for share');
  }

  findForChange(orgId: string, propertyId: string, unitId: string): Promise<Unit | undefined> {
    return this.table.findOne(orgId, this.of(orgId, propertyId).and('id = ?', uuidIn(unitId)), 'for no key update');
  }

  list(orgId: string, filters: ListUnits): Promise<Page<Unit>> {
    const { propertyId, archived, updatedSince, limit, cursor, sort } = filters;
    const where = referredTo(this.of(orgId, propertyId), 'unit', filters).since(updatedSince);
    if (archived !== undefined || updatedSince === undefined)
      where.and(`archived_at is ${archived ? 'not null' : 'null'}`);
    return this.table.page(orgId, where, { limit, cursor, sort });
  }

  /** How many of these units are of the property. */
  async countOf(orgId: string, propertyId: string, unitIds: readonly string[]): Promise<number> {
    if (unitIds.length === 0) return 0;
    return (await this.table.find(orgId, this.of(orgId, propertyId).and('id = any(?::uuid[])', unitIds.map(uuidIn))))
      .length;
  }

  listAll({ orgId, propertyIds }: Caller, filters: ListAllUnits): Promise<Page<Unit>> {
    const { propertyId, cleaningStatus, q, archived, updatedSince, limit, cursor, sort } = filters;
    const where = referredTo(this.table.where(orgId), 'unit', filters)
      .when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])')
      .when(propertyId && uuidIn(propertyId), 'property_id = ?')
      .when(cleaningStatus, 'cleaning_status = ?')
      .searching(q && containing(q), called('units'))
      .since(updatedSince);
    if (archived !== undefined || updatedSince === undefined)
      where.and(`archived_at is ${archived ? 'not null' : 'null'}`);
    return this.table.page(orgId, where, { limit, cursor, sort }, sortable);
  }

  async typesOf(orgId: string, unitIds: readonly string[]): Promise<Map<string, string>> {
    const where = this.table.where(orgId).and('id = any(?::uuid[])', [...new Set(unitIds)].map(uuidIn));
    const units = unitIds.length > 0 ? await this.table.find(orgId, where) : [];
    return new Map(units.flatMap(({ id, unitTypeId }) => (unitTypeId ? [[id, unitTypeId] as const] : [])));
  }

  insert(unit: Unit): Promise<Unit> {
    return this.table.insert(unit);
  }

  update(unit: Unit, changes: Partial<Unit>): Promise<Unit> {
    return this.table.update(unit, changes);
  }

  private of(orgId: string, propertyId: string) {
    return this.table.where(orgId).and('property_id = ?', uuidIn(propertyId));
  }
}
