import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CreateUnitBlock, ListUnitBlocks, ThisUnitBlock, UpdateUnitBlock } from './unit-block.dto.js';
import {
  createUnitBlock,
  endUnitBlock,
  getUnitBlock,
  listUnitBlocks,
  updateUnitBlock,
} from './unit-blocks.operations.js';
import { UnitBlocksService } from './unit-blocks.service.js';

@Controller()
export class UnitBlocksController {
  constructor(private readonly blocks: UnitBlocksService) {}

  @Handles(createUnitBlock) create(caller: Caller, input: CreateUnitBlock) {
    return this.blocks.create(caller, input);
  }

  @Handles(listUnitBlocks) list(caller: Caller, input: ListUnitBlocks) {
    return this.blocks.list(caller, input);
  }

  @Handles(getUnitBlock) get(caller: Caller, input: ThisUnitBlock) {
    return this.blocks.get(caller, input);
  }

  @Handles(updateUnitBlock) update(caller: Caller, input: UpdateUnitBlock) {
    return this.blocks.update(caller, input);
  }

  @Handles(endUnitBlock) end(caller: Caller, input: ThisUnitBlock) {
    return this.blocks.end(caller, input);
  }
}
