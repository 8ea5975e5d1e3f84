import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { called, containing, Cursors, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import { referredTo } from '../references/referred-to.js';
import { nextHour } from '../stays/local-moments.js';
import type { ListProperties } from './property.dto.js';
import { Property } from './property.entity.js';

const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  name: { asc: 'name', desc: 'name' },
};

/** At six in the morning, guests have slept in their rooms. */
const morningHour = 6;

type Morning = Pick<Property, 'orgId' | 'id' | 'timezone' | 'roomStatusFollowsWork'>;

@Injectable()
export class PropertiesRepository {
  private readonly table: Table<Property>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Property, cursors);
  }

  find(caller: Caller, propertyId: string): Promise<Property | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(propertyId)));
  }

  findMany(caller: Caller, ids: readonly string[]): Promise<Property[]> {
    return this.table.find(caller.orgId, this.visibleTo(caller).and('id = any(?::uuid[])', ids.map(uuidIn)));
  }

  findForChange(caller: Caller, propertyId: string): Promise<Property | undefined> {
    return this.table.findOne(
      caller.orgId,
      this.visibleTo(caller).and('id = ?', uuidIn(propertyId)),
      'for no key update',
    );
  }

  /**
   * The given properties, locked until the transaction ends, against changes and against each other: this one lock orders
   * everything that takes or gives nights at a property, and what begins with it may set the status of the property later.
   */
  findLocked(caller: Caller, propertyIds: readonly string[]): Promise<Property[]> {
    const where = this.visibleTo(caller).and('id = any(?::uuid[])', propertyIds.map(uuidIn));
    return this.table.find(caller.orgId, where, 'order by id for no key update');
  }

  list(caller: Caller, filters: ListProperties): Promise<Page<Property>> {
    const { q, limit, cursor, sort, archived, updatedSince } = filters;
    const where = this.visibleTo(caller)
      .searching(q && containing(q), called('properties'))
      .since(updatedSince);
    if (archived !== undefined || updatedSince === undefined)
      where.and(`archived_at is ${archived ? 'not null' : 'null'}`);
    referredTo(where, 'property', filters);
    return this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
  }

  /** How many properties the credential can see, without archived ones. */
  async count(caller: Caller): Promise<number> {
    const { text, values } = this.visibleTo(caller).and('archived_at is null');
    const counted = `select count(*)::integer as count from properties ${text}`;
    const [row] = await this.database.rows(caller.orgId, counted, values);
    return (row as { count: number }).count;
  }

  insert(property: Property): Promise<Property> {
    return this.table.insert(property);
  }

  update(property: Property, changes: Partial<Property>): Promise<Property> {
    return this.table.update(property, changes);
  }

  /** When the rooms in house become dirty; null where room state does not follow work. Changes no version. */
  scheduleMorning({ orgId, id, timezone, roomStatusFollowsWork }: Morning): void {
    const text = 'update properties set next_morning_at = $3 where org_id = $1 and id = $2';
    const at = roomStatusFollowsWork ? nextHour(morningHour, timezone) : null;
    this.database.defer(orgId, text, [uuidIn(orgId), uuidIn(id), at]);
  }

  /** The properties of the organization that the credential can see. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'id = any(?::uuid[])');
  }
}
