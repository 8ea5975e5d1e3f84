import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Issue } from '#errors';
import { DraftRefused, type Drafting } from '../../../outside/models/drafting.js';
import { type JobKind, ModelJobKinds } from '../../../outside/models/job-kind.js';
import type { ModelJob } from '../../../outside/models/model-job.entity.js';
import { ModelJobsService } from '../../../outside/models/model-jobs.service.js';
import type { Geo } from '../../../tenancy/properties/property.dto.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import type { Guide } from '../guide.entity.js';
import { onlyProperty } from '../guides.events.js';
import { GuidesService } from '../guides.service.js';
import type { PlaceFacts } from '../openstreetmap/facts.js';
import { OpenStreetMap } from '../openstreetmap/open-street-map.js';
import { placeQuery } from '../openstreetmap/place-query.js';
import { protectedPartsOf } from '../masks.js';
import type { ImportPlace } from './place.dto.js';
import { importGuidePlace } from './places.operations.js';
import { PlacesService } from './places.service.js';

interface Draft {
  facts: PlaceFacts;
  /** Undefined if the model wrote nothing that may be shown with the facts. */
  note: string | null;
}

const whatItIs = 'Describe what kind of place it is and for whom.';

const schema = {
  type: 'object',
  properties: { note: { type: 'string', minLength: 1, maxLength: 600 } },
  required: ['note'],
  additionalProperties: false,
};

/** Places from the map, as drafts. The source provides the facts, and a model writes only the note. */
@Injectable()
export class PlaceImports implements JobKind<ImportPlace, Draft> {
  readonly operation = importGuidePlace;

  constructor(
    kinds: ModelJobKinds,
    private readonly jobs: ModelJobsService,
    private readonly guides: GuidesService,
    private readonly places: PlacesService,
    private readonly properties: PropertiesService,
    private readonly map: OpenStreetMap,
  ) {
    kinds.register(this);
  }

  async request(caller: Caller, input: ImportPlace): Promise<ModelJob> {
    placeQuery(input.place);
    const guide = await this.guides.forChange(caller, input.guideId);
    return await this.jobs.request(caller, this, input, onlyProperty(guide));
  }

  async make(caller: Caller, { guideId, place, instruction }: ImportPlace, drafting: Drafting): Promise<Draft> {
    const guide = await this.guides.get(caller, guideId);
    const facts = await this.map.find(placeQuery(place), await this.around(caller, guide), drafting.signal);
    return { facts, note: await noteOn(facts, guide.sourceLocale, instruction ?? whatItIs, drafting) };
  }

  async save(caller: Caller, { guideId }: ImportPlace, { facts, note }: Draft): Promise<Record<string, unknown>> {
    const place = await this.places.addDraft(caller, guideId, facts, note);
    const warnings = note === null ? ['The model wrote no usable note. Write one with updatePlace.'] : [];
    return { guideId, placeId: place.id, draft: { ...facts, note, status: place.status }, warnings };
  }

  /** Searches around the guide's property first. */
  private async around(caller: Caller, guide: Guide): Promise<Geo | undefined> {
    const propertyId = onlyProperty(guide);
    return propertyId === null ? undefined : ((await this.properties.get(caller, propertyId)).geo ?? undefined);
  }
}

async function noteOn(
  facts: PlaceFacts,
  locale: string,
  instruction: string,
  drafting: Drafting,
): Promise<string | null> {
  const { name, category, address, openingHours } = facts;
  try {
    const { note } = await drafting.draft<{ note: string }>({
      system:
        'You write a note of one to three sentences about a place for guests of a holiday home, ' +
        `in the language ${locale}. Tell nothing that the material does not tell. Write no numbers, times, ` +
        'addresses, links or codes: the facts are shown beside your note.',
      instruction,
      data: { name, category, address, openingHours },
      schema,
      check: (draft) => issuesOf(draft.note, name),
    });
    return note.trim() || null;
  } catch (error) {
    if (error instanceof DraftRefused) return null;
    throw error;
  }
}

/** A note must not contain a number, address or code that the name does not have, whether it is true or not. */
function issuesOf(note: string, name: string): Issue[] {
  const known = new Set(protectedPartsOf(name));
  const unwanted = protectedPartsOf(note).filter((part) => !known.has(part));
  return unwanted.length > 0 ? [{ path: ['note'], message: `Leave out ${unwanted.slice(0, 5).join(', ')}.` }] : [];
}
