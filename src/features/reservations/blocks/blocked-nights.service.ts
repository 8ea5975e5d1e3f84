import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { outcomeOfWork } from '#errors';
import type { Property } from '../../../tenancy/properties/property.entity.js';
import { dayAfter, dayIn } from '../../../tenancy/stays/local-moments.js';
import type { Explanation, Option } from '../../../tenancy/stays/explanation.dto.js';
import { type Nights, NightsRepository, type TypeNight } from '../../../tenancy/stays/nights.repository.js';
import { unitTypeIsFull } from '../../../tenancy/unit-types/unit-types.errors.js';
import { refuseUnusableType, UnitTypesService } from '../../../tenancy/unit-types/unit-types.service.js';
import { UnitsService } from '../../../tenancy/units/units.service.js';
import { Assignments } from '../assignments/assignments.service.js';
import { holdersOf } from '../explanations/explanations.service.js';
import { OtherStays } from '../explanations/other-stays.service.js';
import type { Reservation } from '../reservation.entity.js';
import { type Clash, placeIsTaken, unitWithoutType } from '../reservations.errors.js';
import { OverlapsRepository } from '../overlaps/overlaps.repository.js';
import { isOwnedElsewhere, soldAs } from '../stay-rules.js';
import type { UnitBlock } from './unit-block.entity.js';

type Call = Pick<Option, 'operation' | 'input'>;

const mostNamed = 20;
const forcedDescription =
  'Block it anyway: future stays lose the unit and wait for another one, except those that another system keeps in step.';

/** The nights of a block, on which there may be stays. */
@Injectable()
export class BlockedNights {
  constructor(
    private readonly overlaps: OverlapsRepository,
    private readonly nights: NightsRepository,
    private readonly units: UnitsService,
    private readonly unitTypes: UnitTypesService,
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
    const leaving = stays.filter(losesUnit);
    const canWait = () => this.refuseStranded(block, leaving);
    const explain = async (clash: Clash): Promise<Explanation> => ({
      wants: { propertyId, unitId, unitTypeId: 'unitTypeId' in clash ? clash.unitTypeId : null, from, until },
      holds: holdersOf(clash),
      options: [
        ...((await this.isFreeWithoutStays(block, { from, until })) ? await this.others.makingWay(caller, stays) : []),
        ...('value' in (await outcomeOfWork(canWait)) ? [{ description: forcedDescription, ...forced }] : []),
      ],
    });
    const reservations = stays.slice(0, mostNamed);
    if (!force && stays.length > 0) throw placeIsTaken(reservations, await explain({ reservations }));
    await canWait();
    await this.assignments.takeBack(caller, propertyId, leaving);
    if (force) return await this.letWait(block, { from, until });
    const full = await this.fullWith(block, { from, until });
    if (full && full.nights.length > 0) throw unitTypeIsFull(full.unitTypeId, full.nights, await explain(full));
  }

  /** There may be too few units then for those that wait for one, with those that lose theirs. */
  private async letWait(block: UnitBlock, nights: Nights): Promise<void> {
    const { orgId, propertyId, unitId } = block;
    const wait = (unitTypeId: string | null, crowded: Nights[]): Promise<void> =>
      this.overlaps.exemptWaiting(orgId, { propertyId, unitTypeId, ...nights, crowded });
    if (unitId === null) return await wait(null, [nights]);
    const full = await this.fullWith(block, nights);
    const nightsOf = ({ date }: TypeNight): Nights => ({ from: date, until: dayAfter(date, 1) });
    if (full) await wait(full.unitTypeId, full.nights.map(nightsOf));
  }

  /** @throws conflict_error for a stay that would wait for no other unit: it was sold as no type, or as one that is archived. */
  private async refuseStranded({ orgId, propertyId }: UnitBlock, stays: readonly Reservation[]): Promise<void> {
    const types = await this.unitTypes.locked(
      orgId,
      stays.flatMap((stay) => soldAs(stay) ?? []),
    );
    for (const stay of stays) {
      const unitTypeId = soldAs(stay);
      if (!unitTypeId) throw unitWithoutType();
      refuseUnusableType(
        types.find(({ id }) => id === unitTypeId),
        propertyId,
      );
    }
  }

  /** Whether a block succeeds once the stays have another unit of the type, or wait for one. */
  private async isFreeWithoutStays(block: UnitBlock, nights: Nights): Promise<boolean> {
    return block.unitId !== null && !(await this.fullWith(block, nights))?.nights.length;
  }

  /** The type of the unit, if it has one, and the nights to be blocked on which the type needs it. */
  private async fullWith(
    { orgId, propertyId, unitId }: UnitBlock,
    nights: Nights,
  ): Promise<{ unitTypeId: string; nights: TypeNight[] } | undefined> {
    const unitTypeId = unitId && (await this.units.typesOf(orgId, [unitId])).get(unitId);
    if (!unitTypeId) return undefined;
    const full = await this.nights.overfull(orgId, propertyId, { unitTypeId, ...nights, blocked: unitId, more: 0 });
    return { unitTypeId, nights: full };
  }
}

const losesUnit = (stay: Reservation): boolean =>
  stay.unitId !== null && stay.stayStatus !== 'checked_in' && !isOwnedElsewhere(stay);
