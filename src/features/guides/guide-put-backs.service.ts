import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Fields } from '../../platform/events/images.js';
import { type PutBack, PutBacks } from '../../platform/events/put-backs.js';
import type { Guide } from './guide.entity.js';
import { GuidesRepository } from './guides.repository.js';
import { GuidesService } from './guides.service.js';
import { slugIsFixed } from './guides.errors.js';

/** Undoes changes of drafts. */
@Injectable()
export class GuidePutBacks implements PutBack<Guide> {
  readonly scope = 'guides:write';

  constructor(
    putBacks: PutBacks,
    private readonly guides: GuidesRepository,
    private readonly service: GuidesService,
  ) {
    putBacks.add('guide', this);
  }

  stored(fields: Fields): Partial<Guide> {
    return this.guides.columnsOf(fields);
  }

  find(caller: Caller, { id }: { id: string }): Promise<Guide | undefined> {
    return this.guides.findForChange(caller, id);
  }

  async write(caller: Caller, guide: Guide, fields: Partial<Guide>): Promise<void> {
    if (fields.slug !== undefined && guide.publishedAt) throw slugIsFixed();
    await this.service.reword(caller, guide, fields);
  }
}
