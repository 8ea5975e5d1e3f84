import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import type { Guide } from '../guide.entity.js';
import type { ListPlaces } from './place.dto.js';
import { Place } from './place.entity.js';

/** The places of a guide. The caller has already read the guide, so access is checked. */
@Injectable()
export class PlacesRepository {
  private readonly table: Table<Place>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, Place, cursors);
  }

  /** All of them, in the order in which they were added. */
  of(guide: Guide): Promise<Place[]> {
    return this.table.find(guide.orgId, this.in(guide), 'order by id');
  }

  list(guide: Guide, { status, limit, cursor, sort }: ListPlaces): Promise<Page<Place>> {
    const where = this.in(guide).when(status, 'status = ?');
    if (status === undefined) where.and(`status <> 'hidden'`);
    return this.table.page(guide.orgId, where, { limit, cursor, sort });
  }

  find(guide: Guide, placeId: string): Promise<Place | undefined> {
    return this.table.findOne(guide.orgId, this.in(guide).and('id = ?', uuidIn(placeId)));
  }

  insert(place: Place): Promise<Place> {
    return this.table.insert(place);
  }

  update(place: Place, changes: Partial<Place>): Promise<Place> {
    return this.table.update(place, changes);
  }

  private in({ orgId, id }: Guide): Where {
    return this.table.where(orgId).and('guide_id = ?', uuidIn(id));
  }
}
