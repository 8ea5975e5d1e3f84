import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../platform/config/app.config.js';
import type { Geo } from '../../../tenancy/properties/property.dto.js';
import type { MapElement } from './facts.js';
import { MapRequests } from './map-requests.js';
import { Pace } from './pace.js';
import { asRecord, geoOf, refOf, tagsOf } from './reading.js';

/** Shared by the whole process, because the public server accepts two requests at a time from each address. */
const gapMs = 1_000;
const nearMetres = 60;
const kinds = 'amenity|shop|tourism|leisure|historic|healthcare|public_transport|railway|natural';

/** Reads complete objects of the map (Overpass API, Overpass QL). */
@Injectable()
export class Overpass {
  private readonly pace = new Pace(gapMs);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly requests: MapRequests,
  ) {}

  /** @param ref type and number, such as node/240109189. */
  async element(ref: string, signal: AbortSignal): Promise<MapElement | undefined> {
    const [, type, id] = /^(node|way|relation)\/(\d+)$/.exec(ref) ?? [];
    if (!type) return undefined;
    return (await this.ask(`${type}(${id});out tags center;`, signal))[0];
  }

  /** The nearest place with a name, a few steps away at most. */
  async nearest(geo: Geo, signal: AbortSignal): Promise<MapElement | undefined> {
    const { latitude, longitude } = geo;
    const area = `(around:${nearMetres},${latitude},${longitude})`;
    const found = await this.ask(`nwr${area}[name][~"^(${kinds})$"~"."];out tags center 50;`, signal);
    return found.toSorted((a, b) => distance(a.geo, geo) - distance(b.geo, geo))[0];
  }

  private async ask(query: string, signal: AbortSignal): Promise<MapElement[]> {
    await this.pace.turn(signal);
    const answer = await this.requests.json(this.config.overpassUrl, {
      signal,
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ data: `[out:json][timeout:20];${query}` }).toString(),
    });
    const { elements } = asRecord(answer);
    return (Array.isArray(elements) ? elements : []).flatMap((raw: unknown) => {
      const element = asRecord(raw);
      const geo = geoOf(element);
      return geo ? [{ ref: refOf(element.type, element.id), geo, tags: tagsOf(element.tags) }] : [];
    });
  }
}

/** For comparing, a few steps around one point. */
const distance = (a: Geo, b: Geo): number =>
  Math.hypot(a.latitude - b.latitude, (a.longitude - b.longitude) * Math.cos((b.latitude * Math.PI) / 180));
