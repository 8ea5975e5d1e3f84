import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn } from '#persistence';
import type { ListUnits } from './unit.dto.js';
import { Unit } from './unit.entity.js';

/** Units are reached through their property, which the credential must see. */
@Injectable()
export class UnitsRepository {
  private readonly table: Table<Unit>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, Unit, cursors);
  }

  /** The unit, locked until the transaction ends: other changes to it wait. */
  findLocked(orgId: string, propertyId: string, unitId: string): Promise<Unit | undefined> {
    return this.table.findOne(orgId, this.of(orgId, propertyId).and('id = ?', uuidIn(unitId)), 'for share');
  }

  findForChange(orgId: string, propertyId: string, unitId: string): Promise<Unit | undefined> {
    return this.table.findOne(orgId, this.of(orgId, propertyId).and('id = ?', uuidIn(unitId)), 'for no key update');
  }

  list(orgId: string, { propertyId, archived, updatedSince, limit, cursor, sort }: ListUnits): Promise<Page<Unit>> {
    const where = this.of(orgId, propertyId).whenWithin(updatedSince, 'updated_at >= ?::timestamptz');
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
