import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { invalidField } from '#errors';
import type { Page } from '#operations';
import type { ChangeType } from '../../../platform/events/event-type.js';
import { EventsService } from '../../../platform/events/events.service.js';
import type { Guide } from '../guide.entity.js';
import type { PlaceFacts } from '../openstreetmap/facts.js';
import { placeNotFound } from '../guides.errors.js';
import { onlyProperty } from '../guides.events.js';
import { GuidesService } from '../guides.service.js';
import { isWebsite } from '../links.js';
import { GuideTexts } from '../guide-texts.js';
import type { AddPlace, ListPlaces, ThisPlace, UpdatePlace } from './place.dto.js';
import { newPlace, type Place } from './place.entity.js';
import { placeAdded, type PlaceEventData, placeHidden, placeUpdated } from './places.events.js';
import { PlacesRepository } from './places.repository.js';

@Injectable()
export class PlacesService {
  constructor(
    private readonly guides: GuidesService,
    private readonly places: PlacesRepository,
    private readonly texts: GuideTexts,
    private readonly events: EventsService,
  ) {}

  async list(caller: Caller, input: ListPlaces): Promise<Page<Place>> {
    return await this.places.list(await this.guides.get(caller, input.guideId), input);
  }

  async add(caller: Caller, { guideId, ...input }: AddPlace): Promise<Place> {
    refuseOddWebsite(input.website);
    const guide = await this.guides.forChange(caller, guideId);
    return await this.addTo(caller, guide, newPlace(guide, input));
  }

  /** A draft whose facts come from a source. */
  async addDraft(caller: Caller, guideId: string, facts: PlaceFacts, note: string | null): Promise<Place> {
    const guide = await this.guides.forChange(caller, guideId);
    return await this.addTo(caller, guide, newPlace(guide, { ...facts, note, status: 'draft', source: 'osm' }));
  }

  private async addTo(caller: Caller, guide: Guide, place: Place): Promise<Place> {
    await this.places.insert(place);
    await this.texts.follow(guide);
    this.events.record(caller, placeAdded, eventDataOf(guide, place));
    return place;
  }

  async update(caller: Caller, { guideId, placeId, ...changes }: UpdatePlace): Promise<Place> {
    refuseOddWebsite(changes.website);
    return await this.write(caller, { guideId, placeId }, changes, placeUpdated);
  }

  async hide(caller: Caller, place: ThisPlace): Promise<Place> {
    return await this.write(caller, place, { status: 'hidden' }, placeHidden);
  }

  private async write(
    caller: Caller,
    { guideId, placeId }: ThisPlace,
    changes: Partial<Place>,
    happened: ChangeType<PlaceEventData>,
  ): Promise<Place> {
    const guide = await this.guides.forChange(caller, guideId);
    const place = await this.places.find(guide, placeId);
    if (!place) throw placeNotFound();
    expectVersion(caller, place);
    const before = await this.places.update(place, changes);
    if (before === place) return place;
    await this.texts.follow(guide);
    this.events.record(caller, happened, eventDataOf(guide, place), eventDataOf(guide, before));
    return place;
  }
}

const eventDataOf = (guide: Guide, place: Place): PlaceEventData => ({ ...place, propertyId: onlyProperty(guide) });

function refuseOddWebsite(website: string | null | undefined): void {
  if (website && !isWebsite(website)) {
    throw invalidField(['website'], 'Pass an address that begins with https:// or http://.');
  }
}
