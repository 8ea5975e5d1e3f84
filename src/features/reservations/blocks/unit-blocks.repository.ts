import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import type { ListUnitBlocks, ThisUnitBlock } from './unit-block.dto.js';
import { UnitBlock } from './unit-block.entity.js';

const sortable = { from: { asc: 'from_date', desc: 'from_date' } };

/** Blocks are reached through their property, which the credential must see. */
@Injectable()
export class UnitBlocksRepository {
  private readonly table: Table<UnitBlock>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, UnitBlock, cursors);
  }

  /** The fields that are stored, of those of a record and its view. */
  columnsOf(fields: object): Partial<UnitBlock> {
    return this.table.columnsOf(fields);
  }

  /** @param tail a lock: `for no key update` for a block that changes. */
  find(orgId: string, { propertyId, blockId }: ThisUnitBlock, tail = ''): Promise<UnitBlock | undefined> {
    return this.table.findOne(orgId, this.of(orgId, propertyId).and('id = ?', uuidIn(blockId)), tail);
  }

  list(orgId: string, { propertyId, unitId, ended, limit, cursor, sort }: ListUnitBlocks): Promise<Page<UnitBlock>> {
    const where = this.of(orgId, propertyId)
      .when(unitId && uuidIn(unitId), 'unit_id = ?')
      .and(`ended_at is ${ended ? 'not null' : 'null'}`);
    return this.table.page(orgId, where, { limit, cursor, sort }, sortable);
  }

  /** Whether there is such a task at the property. */
  async hasTask(orgId: string, propertyId: string, taskId: string): Promise<boolean> {
    const text = 'select 1 from tasks where org_id = $1 and id = $2 and property_id = $3';
    return (await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(taskId), uuidIn(propertyId)])).length > 0;
  }

  /** A block by its id alone, if it has not ended. */
  findAny(orgId: string, id: string): Promise<UnitBlock | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ? and ended_at is null', uuidIn(id)));
  }

  insert(block: UnitBlock): Promise<UnitBlock> {
    return this.table.insert(block);
  }

  update(block: UnitBlock, changes: Partial<UnitBlock>): Promise<UnitBlock> {
    return this.table.update(block, changes);
  }

  private of(orgId: string, propertyId: string): Where {
    return this.table.where(orgId).and('property_id = ?', uuidIn(propertyId));
  }
}
