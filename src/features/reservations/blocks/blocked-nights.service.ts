import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Property } from '../../../tenancy/properties/property.entity.js';
import { dayIn } from '../../../tenancy/stays/local-moments.js';
import type { Explanation, Option } from '../../../tenancy/stays/explanation.dto.js';
import { NightsRepository } from '../../../tenancy/stays/nights.repository.js';
import { unitTypeIsFull } from '../../../tenancy/unit-types/unit-types.errors.js';
import { UnitsService } from '../../../tenancy/units/units.service.js';
import { Assignments } from '../assignments/assignments.service.js';
import { holdersOf } from '../explanations/explanations.service.js';
import { OtherStays } from '../explanations/other-stays.service.js';
import type { Reservation } from '../reservation.entity.js';
import { type Clash, placeIsTaken } from '../reservations.errors.js';
import { OverlapsRepository } from '../overlaps/overlaps.repository.js';
import { isOwnedElsewhere, soldAs } from '../stay-rules.js';
import type { UnitBlock } from './unit-block.entity.js';

type Call = Pick<Option, 'operation' | 'input'>;

const mostNamed = 20;
const forcedDescription = 'Block it anyway: future stays lose the unit and wait for another one.';

/** The nights of a block, on which there may be stays. */
@Injectable()
export class BlockedNights {
  constructor(
    private readonly overlaps: OverlapsRepository,
    private readonly nights: NightsRepository,
    private readonly units: UnitsService,
    private readonly assignments: Assignments,
    private readonly others: OtherStays,
  ) {}

  /**
   * Clears the nights of a block from today on. With force, future stays lose the unit and wait for another one; guests
   * in house, stays of other systems and of the whole property stay.
   *
   * @throws conflict_error without force, if stays have the nights or their type needs the unit.
   */
  async take(
    caller: Caller,
    { timezone }: Property,
    block: UnitBlock,
    { force, forced }: { force: boolean; forced: Call },
  ): Promise<void> {
    const { orgId, propertyId, unitId, until } = block;
    const today = dayIn(timezone);
    const from = block.from > today ? block.from : today;
    if (until !== null && until <= from) return;
    const stays = await this.overlaps.staysIn(orgId, propertyId, unitId, { from, until });
    const explain = async (clash: Clash): Promise<Explanation> => ({
      wants: { propertyId, unitId, unitTypeId: 'unitTypeId' in clash ? clash.unitTypeId : null, from, until },
      holds: holdersOf(clash),
      options: [
        ...(await this.others.makingWay(stays)),
        ...(stays.every(canMakeWay) ? [{ description: forcedDescription, ...forced }] : []),
      ],
    });
    const reservations = stays.slice(0, mostNamed);
    if (!force && stays.length > 0) throw placeIsTaken(reservations, await explain({ reservations }));
    await this.assignments.takeBack(caller, propertyId, stays.filter(losesUnit));
    const unitTypeId = unitId && (await this.units.typesOf(orgId, [unitId])).get(unitId);
    if (force || !unitTypeId) return;
    const full = await this.nights.overfull(orgId, propertyId, { unitTypeId, from, until, blocked: unitId, more: 0 });
    if (full.length > 0) throw unitTypeIsFull(unitTypeId, full, await explain({ unitTypeId, nights: full }));
  }
}

const losesUnit = (stay: Reservation): boolean =>
  stay.unitId !== null && stay.stayStatus !== 'checked_in' && !isOwnedElsewhere(stay);

/** A stay that was sold as no type has no other unit to wait for. */
const canMakeWay = (stay: Reservation): boolean => !losesUnit(stay) || soldAs(stay) !== null;
