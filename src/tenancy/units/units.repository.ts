import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import {
  containing,
  Cursors,
  idsCalled,
  type PageRequest,
  Table,
  TenantDatabase,
  uuidIn,
  type Where,
} from '#persistence';
import { referredTo } from '../references/referred-to.js';
import type { ListAllUnits, ListUnits } from './unit.dto.js';
import { Unit } from './unit.entity.js';

/** What a unit is to be free for. */
export interface WantedNights {
  propertyId: string;
  unitTypeId?: string;
  from: string;
  until: string;
}

/** Clean and inspected units first, then in the order of the house. */
const rank = `case cleaning_status when 'inspected' then 0 when 'clean' then 1 when 'cleaning' then 2 when 'dirty' then 3 else 4 end`;
const best = `(${rank} || lpad(sort_order::text, 7, '0') || name)`;
const bestFirst = { best: { asc: best, desc: best } };
/** A side of the nights on which the unit has no other stay counts as far away. */
const far = 10_000;

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

  /** The units that are free on all of the nights, best first. */
  available(orgId: string, wanted: WantedNights & PageRequest): Promise<Page<Unit>> {
    const { limit, cursor } = wanted;
    return this.table.page(orgId, this.freeFor(orgId, wanted), { limit, cursor, sort: 'best' }, bestFirst);
  }

  /** The free unit in which a stay leaves the fewest nights between it and other stays that are hard to sell. */
  async bestFor(orgId: string, wanted: WantedNights, today: string): Promise<Unit | undefined> {
    const where = this.freeFor(orgId, wanted).and('true');
    const first = where.values.length;
    const before = `(select $${first + 1}::date - max(until_date) from stay_segments s where s.org_id = $1 and s.unit_id = units.id
      and s.until_date <= $${first + 1}::date and s.until_date > $${first + 3}::date)`;
    const after = `(select min(from_date) - $${first + 2}::date from stay_segments s where s.org_id = $1 and s.unit_id = units.id
      and s.from_date >= $${first + 2}::date)`;
    where.values.push(wanted.from, wanted.until, today);
    const gaps = `(coalesce(${before}, 0) > 0)::integer + (coalesce(${after}, 0) > 0)::integer`;
    const distance = `coalesce(${before}, ${far}) + coalesce(${after}, ${far})`;
    return (await this.table.find(orgId, where, `order by ${gaps}, ${distance}, ${best}, id limit 1`))[0];
  }

  private freeFor(orgId: string, { propertyId, unitTypeId, from, until }: WantedNights): Where {
    return this.of(orgId, propertyId)
      .and('archived_at is null')
      .when(unitTypeId && uuidIn(unitTypeId), 'unit_type_id = ?')
      .and(
        `not exists (select 1 from stay_segments s
                      where s.org_id = $1 and s.unit_id = units.id and s.until_date > ?::date and s.from_date < ?::date)`,
        from,
        until,
      )
      .and(
        `not exists (select 1 from stay_segments s
                      where s.org_id = $1 and s.property_id = units.property_id and s.unit_id is null and s.unit_type_id is null
                        and s.until_date > ?::date and s.from_date < ?::date)`,
        from,
        until,
      )
      .and(
        `not exists (select 1 from unit_blocks b
                      where b.org_id = $1 and b.property_id = units.property_id and (b.unit_id is null or b.unit_id = units.id)
                        and b.kind in ('out_of_order', 'owner_use')
                        and coalesce(b.until_date, 'infinity') > ?::date and b.from_date < ?::date)`,
        from,
        until,
      );
  }

  listAll({ orgId, propertyIds }: Caller, filters: ListAllUnits): Promise<Page<Unit>> {
    const { propertyId, cleaningStatus, q, archived, updatedSince, limit, cursor, sort } = filters;
    const where = referredTo(this.table.where(orgId), 'unit', filters)
      .when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])')
      .when(propertyId && uuidIn(propertyId), 'property_id = ?')
      .when(cleaningStatus, 'cleaning_status = ?')
      .searching(q && containing(q), { newest: 'name ilike ?', indexed: `id = any(${idsCalled('units')})` })
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
