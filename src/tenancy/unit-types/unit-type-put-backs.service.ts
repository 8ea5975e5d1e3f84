import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { ChangeType, EventType } from '../../platform/events/event-type.js';
import type { Fields } from '../../platform/events/images.js';
import { type Located, type PutBack, PutBacks } from '../../platform/events/put-backs.js';
import type { UnitType } from './unit-type.entity.js';
import type { UnitTypeEventData } from './unit-types.events.js';
import { UnitTypesRepository } from './unit-types.repository.js';
import { UnitTypesService } from './unit-types.service.js';

/** Brings archived unit types back. */
@Injectable()
export class UnitTypePutBacks implements PutBack<UnitType> {
  readonly scope = 'properties:write';

  constructor(
    putBacks: PutBacks,
    private readonly unitTypes: UnitTypesRepository,
    private readonly service: UnitTypesService,
  ) {
    putBacks.add('unit_type', this);
  }

  stored(fields: Fields): Partial<UnitType> {
    return this.unitTypes.columnsOf(fields);
  }

  find(caller: Caller, { id, propertyId }: Located): Promise<UnitType> {
    return this.service.forChange(caller, { propertyId: propertyId as string, unitTypeId: id });
  }

  async write(caller: Caller, unitType: UnitType, fields: Partial<UnitType>, event: EventType): Promise<void> {
    await this.service.write(caller, unitType, fields, event as ChangeType<UnitTypeEventData>);
  }
}
