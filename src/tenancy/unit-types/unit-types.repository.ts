import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { Cursors, idColumn, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import { referredTo } from '../references/referred-to.js';
import type { ListUnitTypes, ThisUnitType } from './unit-type.dto.js';
import { UnitType } from './unit-type.entity.js';

const sortable = { sortOrder: { asc: 'sort_order', desc: 'sort_order' } };
const ids = { unit: idColumn('unit'), unitType: idColumn('unittype') };

/** Unit types are reached through their property, which the credential must see. */
@Injectable()
export class UnitTypesRepository {
  private readonly table: Table<UnitType>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, UnitType, cursors);
  }

  /** The fields that are stored, of those of a record and its view. */
  columnsOf(fields: object): Partial<UnitType> {
    return this.table.columnsOf(fields);
  }

  /** @param tail a lock: `for share` for a type that is named, `for no key update` for one that changes. */
  async find(orgId: string, { propertyId, unitTypeId }: ThisUnitType, tail = ''): Promise<UnitType | undefined> {
    const where = this.of(orgId, propertyId).and('id = ?', uuidIn(unitTypeId));
    const found = await this.table.findOne(orgId, where, tail);
    return found && (await this.counted(orgId, [found]))[0];
  }

  /** At any property that the caller can see. */
  async findAny({ orgId, propertyIds }: Caller, unitTypeId: string): Promise<UnitType | undefined> {
    const where = this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
    const found = await this.table.findOne(orgId, where.and('id = ?', uuidIn(unitTypeId)));
    return found && (await this.counted(orgId, [found]))[0];
  }

  /** Without the number of their units. */
  findMany({ orgId, propertyIds }: Caller, unitTypeIds: readonly string[]): Promise<UnitType[]> {
    const where = this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
    return this.table.find(orgId, where.and('id = any(?::uuid[])', unitTypeIds.map(uuidIn)));
  }

  /** Of any property, locked against changes until the transaction ends; without the number of their units. */
  findLocked(orgId: string, unitTypeIds: readonly string[]): Promise<UnitType[]> {
    const where = this.table.where(orgId).and('id = any(?::uuid[])', unitTypeIds.map(uuidIn));
    return this.table.find(orgId, where, 'order by id for share');
  }

  async list(orgId: string, filters: ListUnitTypes): Promise<Page<UnitType>> {
    const { propertyId, archived, limit, cursor, sort } = filters;
    const where = this.of(orgId, propertyId).and(`archived_at is ${archived ? 'not null' : 'null'}`);
    referredTo(where, 'unit_type', filters);
    const page = await this.table.page(orgId, where, { limit, cursor, sort }, sortable);
    return { ...page, items: await this.counted(orgId, page.items) };
  }

  /** The units of a type that are not archived. */
  async unitsOf({ orgId, id }: UnitType): Promise<string[]> {
    const text =
      'select id from units where org_id = $1 and unit_type_id = $2 and archived_at is null order by id limit 20';
    const rows = await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id)]);
    return rows.map((row) => ids.unit.from(row.id) as string);
  }

  insert(unitType: UnitType): Promise<UnitType> {
    return this.table.insert(unitType);
  }

  update(unitType: UnitType, changes: Partial<UnitType>): Promise<UnitType> {
    return this.table.update(unitType, changes);
  }

  private async counted(orgId: string, unitTypes: UnitType[]): Promise<UnitType[]> {
    if (unitTypes.length === 0) return unitTypes;
    const rows = await this.database.rows(
      orgId,
      `select unit_type_id as id, count(*)::integer as units from units
        where org_id = $1 and unit_type_id = any($2::uuid[]) and archived_at is null group by unit_type_id`,
      [uuidIn(orgId), unitTypes.map(({ id }) => uuidIn(id))],
    );
    const counts = new Map(rows.map(({ id, units }) => [ids.unitType.from(id) as string, units as number]));
    for (const unitType of unitTypes) unitType.unitCount = counts.get(unitType.id) ?? 0;
    return unitTypes;
  }

  private of(orgId: string, propertyId: string): Where {
    return this.table.where(orgId).and('property_id = ?', uuidIn(propertyId));
  }
}
