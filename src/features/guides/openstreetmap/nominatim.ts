import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../platform/config/app.config.js';
import type { Geo } from '../../../tenancy/properties/property.dto.js';
import type { MapElement } from './facts.js';
import { MapRequests } from './map-requests.js';
import { Pace } from './pace.js';
import { asRecord, geoOf, refOf, tagsOf } from './reading.js';

/** At most one request per second and process (Nominatim usage policy). */
const gapMs = 1_000;

export interface Found extends MapElement {
  /** The whole address in one line. */
  readonly address: string | null;
}

/** Finds places by name or by point (Nominatim API, search and reverse, format jsonv2). */
@Injectable()
export class Nominatim {
  private readonly pace = new Pace(gapMs);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly requests: MapRequests,
  ) {}

  /** @param within degrees around `near` in which places are preferred, or to which the search is limited. */
  async search(
    name: string,
    near: Geo | undefined,
    { within, only }: { within: number; only: boolean },
    signal: AbortSignal,
  ): Promise<Found | undefined> {
    const answer = await this.ask('search', { q: name, limit: '1', ...(near && around(near, within, only)) }, signal);
    return Array.isArray(answer) ? foundIn(answer[0]) : undefined;
  }

  async reverse({ latitude, longitude }: Geo, signal: AbortSignal): Promise<Found | undefined> {
    return foundIn(await this.ask('reverse', { lat: String(latitude), lon: String(longitude), zoom: '18' }, signal));
  }

  private async ask(path: string, query: Record<string, string>, signal: AbortSignal): Promise<unknown> {
    await this.pace.turn(signal);
    const parameters = new URLSearchParams({ format: 'jsonv2', addressdetails: '1', extratags: '1', ...query });
    return await this.requests.json(`${this.config.nominatimUrl}/${path}?${parameters}`, { signal });
  }
}

const around = ({ latitude, longitude }: Geo, within: number, only: boolean): Record<string, string> => ({
  viewbox: [longitude - within, latitude - within, longitude + within, latitude + within].join(','),
  ...(only && { bounded: '1' }),
});

function foundIn(raw: unknown): Found | undefined {
  const place = asRecord(raw);
  const geo = geoOf(place);
  if (!geo) return undefined;
  const { category, type, name, display_name: address } = place;
  const tags = tagsOf({ ...asRecord(place.extratags), [String(category)]: type, ...(name ? { name } : {}) });
  return { ref: refOf(place.osm_type, place.osm_id), geo, tags, address: typeof address === 'string' ? address : null };
}
