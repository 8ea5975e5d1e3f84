import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import type { PageRequest } from '#persistence';
import { ReadinessRepository } from '../readiness/readiness.repository.js';
import { FreeUnitsRepository, type WantedNights } from './free-units.repository.js';
import type { Unit } from './unit.entity.js';

/** In which units a stay of the wanted nights would fit. */
@Injectable()
export class FreeUnits {
  constructor(
    private readonly units: FreeUnitsRepository,
    private readonly readiness: ReadinessRepository,
  ) {}

  /** Best first, each with its readiness. */
  async list(orgId: string, wanted: WantedNights & PageRequest): Promise<Page<Unit>> {
    const page = await this.units.page(orgId, wanted);
    await this.readiness.note(orgId, page.items);
    return page;
  }

  /** The first ones, without their readiness. */
  async best(orgId: string, wanted: WantedNights & PageRequest): Promise<Unit[]> {
    return (await this.units.page(orgId, wanted)).items;
  }

  /** The unit of the type in which a stay fits best, if one is free. A day use leaves no gap between nights. */
  async bestFor(orgId: string, wanted: WantedNights, today: string): Promise<string | undefined> {
    if (wanted.hours) return (await this.best(orgId, { ...wanted, limit: 1 }))[0]?.id;
    return (await this.units.bestFor(orgId, wanted, today))?.id;
  }
}
