import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn, violates, type Where } from '#persistence';
import type { ListGuides } from './guide.dto.js';
import { Guide } from './guide.entity.js';
import { slugIsTaken } from './guides.errors.js';

const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  name: { asc: 'name', desc: 'name' },
};

@Injectable()
export class GuidesRepository {
  private readonly table: Table<Guide>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Guide, cursors);
  }

  /** The fields that are stored, of those of a record and its view. */
  columnsOf(fields: object): Partial<Guide> {
    return this.table.columnsOf(fields);
  }

  find(caller: Caller, guideId: string, tail = ''): Promise<Guide | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(guideId)), tail);
  }

  /** The guide, locked until the transaction ends. Changes of its places and translations take this lock too. */
  findForChange(caller: Caller, guideId: string): Promise<Guide | undefined> {
    return this.find(caller, guideId, 'for no key update');
  }

  list(caller: Caller, filters: ListGuides): Promise<Page<Guide>> {
    const { status, propertyId, slug, updatedSince, limit, cursor, sort } = filters;
    const where = this.visibleTo(caller)
      .when(propertyId && [uuidIn(propertyId)], 'property_ids @> ?::uuid[]')
      .when(status, 'status = ?')
      .when(slug, 'slug = ?')
      .since(updatedSince);
    if (status === undefined && updatedSince === undefined) where.and(`status <> 'archived'`);
    return this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
  }

  insert(guide: Guide): Promise<Guide> {
    return refusing(() => this.table.insert(guide));
  }

  update(guide: Guide, changes: Partial<Guide>): Promise<Guide> {
    return refusing(() => this.table.update(guide, changes));
  }

  /** Marks the guide as different from what is live. The record itself did not change, so it gets no new version. */
  markChanged(guide: Guide): void {
    const { orgId, id } = guide;
    const text = `update guides set has_unpublished_changes = true
      where org_id = $1 and id = $2 and not has_unpublished_changes`;
    this.database.defer(orgId, text, [uuidIn(orgId), uuidIn(id)]);
    guide.hasUnpublishedChanges = true;
  }

  /** A credential that is limited to some properties sees only guides for these. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_ids <@ ?::uuid[]');
  }
}

/** Addresses are unique in the whole cell: row security hides another organization's guide, but the index does not. */
async function refusing(write: () => Promise<Guide>): Promise<Guide> {
  try {
    return await write();
  } catch (error) {
    if (violates(error, 'guides_slug')) throw slugIsTaken();
    throw error;
  }
}
