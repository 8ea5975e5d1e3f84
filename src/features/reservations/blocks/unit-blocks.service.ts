import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import type { Page } from '#operations';
import { newId } from '#persistence';
import type { ChangeType } from '../../../platform/events/event-type.js';
import { serviceCaller } from '../../../platform/callers/service-caller.js';
import { EventsService } from '../../../platform/events/events.service.js';
import type { Originator } from '../../../platform/events/originator.js';
import type { Property } from '../../../tenancy/properties/property.entity.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import { RoomState } from '../../../tenancy/rooms/room-state.service.js';
import { dayIn } from '../../../tenancy/stays/local-moments.js';
import { UnitsService } from '../../../tenancy/units/units.service.js';
import { CrowdedPlaces } from '../overlaps/crowded-places.service.js';
import { StayPlaces } from '../stay-places.js';
import { BlockedNights } from './blocked-nights.service.js';
import { changedNights, newNights } from './changed-nights.js';
import type {
  CreateUnitBlock,
  ListUnitBlocks,
  ThisUnitBlock,
  UnitBlockView,
  UpdateUnitBlock,
} from './unit-block.dto.js';
import { UnitBlock } from './unit-block.entity.js';
import { blockHasEnded, blockTaskNotFound, blockWithoutNight, unitBlockNotFound } from './unit-blocks.errors.js';
import { unitBlockCreated, unitBlockEnded, unitBlockUpdated } from './unit-blocks.events.js';
import { UnitBlocksRepository } from './unit-blocks.repository.js';

@Injectable()
export class UnitBlocksService {
  constructor(
    private readonly blocks: UnitBlocksRepository,
    private readonly nights: BlockedNights,
    private readonly properties: PropertiesService,
    private readonly places: StayPlaces,
    private readonly crowded: CrowdedPlaces,
    private readonly units: UnitsService,
    private readonly rooms: RoomState,
    private readonly events: EventsService,
  ) {}

  async create(caller: Caller, { propertyId, force = false, ...input }: CreateUnitBlock): Promise<UnitBlock> {
    await this.places.lock(caller, [propertyId]);
    const { property } = await this.places.usable(caller, { propertyId, unitId: input.unitId });
    const now = new Date().toISOString();
    const block = Object.assign(new UnitBlock(), {
      unitId: null,
      until: null,
      reason: null,
      returnStatus: 'dirty' as const,
      taskId: null,
      ...input,
      orgId: caller.orgId,
      id: newId('block'),
      propertyId,
      endedAt: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    const { reason: _, ...asked } = input;
    const forced = { operation: 'createUnitBlock', input: { propertyId, ...asked, force: true } };
    await this.admit(caller, property, block, { force, forced });
    await this.blocks.insert(block);
    this.events.record(caller, unitBlockCreated, block);
    await this.tellStays(caller, block);
    return block;
  }

  async list(caller: Caller, input: ListUnitBlocks): Promise<Page<UnitBlock>> {
    await this.properties.get(caller, input.propertyId);
    return await this.blocks.list(caller.orgId, input);
  }

  async get(caller: Caller, input: ThisUnitBlock): Promise<UnitBlock> {
    await this.properties.get(caller, input.propertyId);
    return await this.find(caller.orgId, input);
  }

  async update(
    caller: Caller,
    { propertyId, blockId, force = false, ...changes }: UpdateUnitBlock,
  ): Promise<UnitBlock> {
    const block = await this.forChange(caller, { propertyId, blockId });
    if (block.endedAt) throw blockHasEnded();
    const { reason: _, ...asked } = changes;
    const forced = { operation: 'updateUnitBlock', input: { propertyId, blockId, ...asked, force: true } };
    return await this.put(caller, block, changes, unitBlockUpdated, { force, forced });
  }

  /** Changes a block, if its nights are free. */
  async put(
    caller: Caller,
    block: UnitBlock,
    changes: Partial<UnitBlock>,
    happened: ChangeType<UnitBlockView>,
    how: Parameters<BlockedNights['take']>[3],
  ): Promise<UnitBlock> {
    const wanted = Object.assign(new UnitBlock(), block, changes);
    if (!wanted.endedAt)
      await this.admit(caller, await this.properties.get(caller, block.propertyId), wanted, { ...how, held: block });
    const before = await this.blocks.update(block, changes);
    this.events.record(caller, happened, block, before);
    await this.tellStays(caller, block, before);
    return block;
  }

  async end(caller: Caller, input: ThisUnitBlock): Promise<UnitBlock> {
    const block = await this.forChange(caller, input);
    if (block.endedAt) return block;
    return await this.close(caller, block, dayIn((await this.properties.get(caller, input.propertyId)).timezone));
  }

  /** Under the lock of the property's nights, so that each block ends once, and none that has just been changed. */
  async endIfOver(orgId: string, blockId: string): Promise<void> {
    const by = serviceCaller(orgId, '', []);
    const seen = await this.blocks.findAny(orgId, blockId);
    if (!seen) return;
    await this.places.lock(by, [seen.propertyId]);
    const block = await this.blocks.findAny(orgId, blockId);
    const { timezone } = await this.properties.get(by, seen.propertyId);
    if (block?.until && block.until <= dayIn(timezone)) await this.close(by, block, block.until);
  }

  /** Ends a block on a day, from which on its nights are free; its unit is as it was meant to come back. */
  private async close(by: Originator, block: UnitBlock, day: string): Promise<UnitBlock> {
    const { orgId, propertyId, unitId, from, returnStatus } = block;
    const until = [block.until ?? day, day].sort()[0] as string;
    const ended = { until: until < from ? from : until, endedAt: new Date().toISOString() };
    const before = await this.blocks.update(block, ended);
    this.events.record(by, unitBlockEnded, block, before);
    await this.tellStays(by, block, before);
    if (unitId) await this.units.comeBack(by, { orgId, propertyId, unitId }, returnStatus);
    else await this.rooms.set(by, [{ propertyId, unitId, withUnits: true }], returnStatus);
    return block;
  }

  /** Flags the stays for which there are too few units with the block, and clears those that have one. */
  private async tellStays(by: Originator, block: UnitBlock, before?: UnitBlock): Promise<void> {
    const nights = changedNights(block, before);
    if (!nights) return;
    const { orgId, propertyId, unitId } = block;
    const unitTypeId = unitId ? (await this.units.typesOf(orgId, [unitId])).get(unitId) : null;
    if (unitTypeId !== undefined)
      await this.crowded.check(by, { propertyId, unitTypeId, ...nights, onlyFlagged: false });
  }

  /** @throws validation_error, not_found_error or conflict_error if the nights cannot be blocked. */
  private async admit(
    caller: Caller,
    property: Property,
    block: UnitBlock,
    { held, ...how }: Parameters<BlockedNights['take']>[3] & { held?: UnitBlock },
  ): Promise<void> {
    const { orgId, propertyId, from, until, taskId } = block;
    if (until !== null && until <= from) throw blockWithoutNight();
    if (taskId && !(await this.blocks.hasTask(orgId, propertyId, taskId))) throw blockTaskNotFound();
    for (const nights of newNights(block, held))
      await this.nights.take(caller, property, Object.assign(new UnitBlock(), block, nights), how);
  }

  async forChange(caller: Caller, input: ThisUnitBlock): Promise<UnitBlock> {
    await this.places.lock(caller, [input.propertyId]);
    const block = await this.find(caller.orgId, input, 'for no key update');
    expectVersion(caller, block);
    return block;
  }

  private async find(orgId: string, input: ThisUnitBlock, tail = ''): Promise<UnitBlock> {
    const block = await this.blocks.find(orgId, input, tail);
    if (!block) throw unitBlockNotFound();
    return block;
  }
}
