import { Injectable, Logger } from '@nestjs/common';
import { ServiceError } from '#errors';
import type { Geo } from '../../../tenancy/properties/property.dto.js';
import { mapKnowsNoSuchPlace } from '../guides.errors.js';
import { addressIn, factsOf, type MapElement, type PlaceFacts } from './facts.js';
import { type Found, Nominatim } from './nominatim.js';
import { Overpass } from './overpass.js';
import type { PlaceQuery } from './place-query.js';

/** About 25 km, and about a kilometre. */
const townDegrees = 0.25;
const streetDegrees = 0.01;

/** Facts about places from OpenStreetMap: Nominatim finds the places, and Overpass returns their details. */
@Injectable()
export class OpenStreetMap {
  private readonly log = new Logger(OpenStreetMap.name);

  constructor(
    private readonly nominatim: Nominatim,
    private readonly overpass: Overpass,
  ) {}

  /**
   * @param near where to look first for a place that is given by name only.
   * @throws not_found_error if the map has no such place, provider_error if the map is unavailable.
   */
  async find(query: PlaceQuery, near: Geo | undefined, signal: AbortSignal): Promise<PlaceFacts> {
    const facts = await this.look(query, near, signal);
    if (!facts) throw mapKnowsNoSuchPlace();
    return facts;
  }

  private async look(query: PlaceQuery, near: Geo | undefined, signal: AbortSignal): Promise<PlaceFacts | undefined> {
    if (query.kind === 'coordinate') return await this.at(query.geo, signal);
    if (query.kind === 'element') {
      const element = await this.overpass.element(query.ref, signal);
      return element && (await this.addressed(element, signal));
    }
    const { name, geo } = query;
    const where = geo ? { within: streetDegrees, only: true } : { within: townDegrees, only: false };
    const found = await this.nominatim.search(name, geo ?? near, where, signal);
    if (found) return await this.detailed(found, signal);
    return geo && (await this.at(geo, signal));
  }

  private async at(geo: Geo, signal: AbortSignal): Promise<PlaceFacts | undefined> {
    const element = await this.orNothing(this.overpass.nearest(geo, signal));
    if (element) return await this.addressed(element, signal);
    const found = await this.nominatim.reverse(geo, signal);
    return found && factsOf(found, found.address);
  }

  /** Nominatim returns the most important tags too, so this works without Overpass if necessary. */
  private async detailed(found: Found, signal: AbortSignal): Promise<PlaceFacts> {
    const element = await this.orNothing(this.overpass.element(found.ref, signal));
    return factsOf({ ...found, tags: { ...found.tags, ...element?.tags } }, found.address);
  }

  private async addressed(element: MapElement, signal: AbortSignal): Promise<PlaceFacts> {
    const known = addressIn(element.tags);
    const found = known ? undefined : await this.orNothing(this.nominatim.reverse(element.geo, signal));
    return factsOf(element, known ?? found?.address ?? null);
  }

  /** Details that one server adds, not needed if the other has returned enough. */
  private async orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.log.warn(error.message);
      return undefined;
    }
  }
}
