import { Inject, Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { merging, type Page } from '#operations';
import { CONFIG, type Config } from '../../platform/config/app.config.js';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import { canonicalLocale, canonicalLocales } from '#locales';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { propertyLimit } from '../../tenancy/properties/property-limit.js';
import type { ListGuides, PublishGuide, SaveGuide, UpdateGuide } from './guide.dto.js';
import { type Guide, newGuide } from './guide.entity.js';
import { sectionsFrom } from './guide-sections.js';
import { guideIsArchived, guideNotFound, slugIsFixed } from './guides.errors.js';
import { guideArchived, type GuideEventData, guidePublished, guideSaved, guideUpdated } from './guides.events.js';
import { GuidesRepository } from './guides.repository.js';
import { Publications } from './public/publications.js';
import { slugOf } from './slug.js';
import { GuideTexts } from './guide-texts.js';

@Injectable()
export class GuidesService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly guides: GuidesRepository,
    private readonly texts: GuideTexts,
    private readonly publications: Publications,
    private readonly properties: PropertiesService,
    private readonly events: EventsService,
  ) {}

  async list(caller: Caller, input: ListGuides): Promise<Page<Guide>> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    const page = await this.guides.list(caller, input);
    page.items.forEach((guide) => this.addressed(guide));
    return page;
  }

  /** @throws not_found_error when the credential cannot see it. */
  async get(caller: Caller, guideId: string): Promise<Guide> {
    const guide = await this.guides.find(caller, guideId);
    if (!guide) throw guideNotFound();
    return this.addressed(guide);
  }

  async save(caller: Caller, input: SaveGuide): Promise<Guide> {
    const { name, slug = slugOf(name), sourceLocale, locales = [], sections = [], metadata = {} } = input;
    const guide = await this.guides.insert(
      newGuide(caller.orgId, {
        name,
        slug,
        propertyIds: await propertyLimit(caller, this.properties, input.propertyIds ?? null),
        sourceLocale: canonicalLocale(sourceLocale, ['sourceLocale']),
        locales: canonicalLocales(locales),
        sections: sectionsFrom(sections),
        metadata,
      }),
    );
    await this.texts.follow(guide);
    this.events.record(caller, guideSaved, this.addressed(guide));
    return guide;
  }

  async update(caller: Caller, input: UpdateGuide): Promise<Guide> {
    const { guideId, sourceLocale, locales, sections, propertyIds, ...given } = input;
    const guide = await this.forChange(caller, guideId);
    expectVersion(caller, guide);
    if (given.slug !== undefined && given.slug !== guide.slug && guide.publishedAt) throw slugIsFixed();
    const limit = propertyIds === undefined ? undefined : await propertyLimit(caller, this.properties, propertyIds);
    return await this.reword(caller, guide, {
      ...given,
      ...(sourceLocale !== undefined && { sourceLocale: canonicalLocale(sourceLocale, ['sourceLocale']) }),
      ...(locales && { locales: canonicalLocales(locales) }),
      ...(sections && { sections: sectionsFrom(sections, guide.sections) }),
      ...(limit !== undefined && { propertyIds: limit }),
    });
  }

  /** Adds a language to translate into, unless the guide already has it. */
  async addLocale(caller: Caller, guide: Guide, locale: string): Promise<void> {
    if (guide.targetLocales.includes(locale)) return;
    await this.reword(caller, guide, { locales: [...guide.locales, locale] });
  }

  async publish(caller: Caller, { guideId, force = false }: PublishGuide): Promise<Guide> {
    const guide = await this.forChange(caller, guideId);
    expectVersion(caller, guide);
    const content = await this.publications.put(caller, guide, { force });
    const publishedAt = new Date().toISOString();
    return await this.write(
      caller,
      guide,
      { status: 'published', publishedAt, hasUnpublishedChanges: false },
      guidePublished,
      content,
    );
  }

  async archive(caller: Caller, guideId: string): Promise<Guide> {
    const guide = await this.guides.findForChange(caller, guideId);
    if (!guide) throw guideNotFound();
    expectVersion(caller, guide);
    if (guide.status === 'archived') return this.addressed(guide);
    this.publications.withdraw(guide);
    return await this.write(caller, guide, { status: 'archived', archivedAt: new Date().toISOString() }, guideArchived);
  }

  /**
   * The guide, locked until the transaction ends, for a change of it, its places or its translations.
   *
   * @throws not_found_error if the credential cannot see it, conflict_error if it is archived.
   */
  async forChange(caller: Caller, guideId: string): Promise<Guide> {
    const guide = await this.guides.findForChange(caller, guideId);
    if (!guide) throw guideNotFound();
    if (guide.status === 'archived') throw guideIsArchived();
    return guide;
  }

  /** Changes the draft, which then differs from what is live. */
  async reword(caller: Caller, guide: Guide, changes: Partial<Guide>): Promise<Guide> {
    const before = await this.guides.update(guide, merging(guide, changes));
    this.addressed(guide);
    if (before === guide) return guide;
    await this.texts.follow(guide);
    this.events.record(caller, guideUpdated, guide, this.addressed(before));
    return guide;
  }

  private async write(
    caller: Caller,
    guide: Guide,
    changes: Partial<Guide>,
    happened: ChangeType<GuideEventData>,
    beside?: object,
  ): Promise<Guide> {
    const before = await this.guides.update(guide, changes);
    this.events.record(caller, happened, this.addressed(guide), this.addressed(before), beside);
    return guide;
  }

  private addressed(guide: Guide): Guide {
    return Object.assign(guide, { url: `${this.config.baseUrl}/guides/${guide.slug}` });
  }
}
