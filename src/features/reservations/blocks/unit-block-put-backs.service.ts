import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { ChangeType, EventType } from '../../../platform/events/event-type.js';
import type { Fields } from '../../../platform/events/images.js';
import { type Located, type PutBack, PutBacks } from '../../../platform/events/put-backs.js';
import type { UnitBlock } from './unit-block.entity.js';
import type { UnitBlockView } from './unit-block.dto.js';
import { blockHasEnded } from './unit-blocks.errors.js';
import { unitBlockEnded } from './unit-blocks.events.js';
import { UnitBlocksRepository } from './unit-blocks.repository.js';
import { UnitBlocksService } from './unit-blocks.service.js';

/** Undoes changes of blocks; one that was created ends, and its unit stays as it is. */
@Injectable()
export class UnitBlockPutBacks implements PutBack<UnitBlock> {
  readonly scope = 'properties:write';

  constructor(
    putBacks: PutBacks,
    private readonly blocks: UnitBlocksRepository,
    private readonly service: UnitBlocksService,
  ) {
    putBacks.add('unit_block', this);
  }

  stored(fields: Fields): Partial<UnitBlock> {
    return this.blocks.columnsOf(fields);
  }

  find(caller: Caller, { id, propertyId }: Located): Promise<UnitBlock> {
    return this.service.forChange(caller, { propertyId: propertyId as string, blockId: id });
  }

  async write(caller: Caller, block: UnitBlock, fields: Partial<UnitBlock>, event: EventType): Promise<void> {
    if (block.endedAt && !('endedAt' in fields)) throw blockHasEnded();
    const changes =
      event.name === unitBlockEnded.name ? { until: block.from, endedAt: new Date().toISOString() } : fields;
    const forced = { operation: 'updateUnitBlock', input: {} };
    await this.service.put(caller, block, changes, event as ChangeType<UnitBlockView>, { force: false, forced });
  }
}
