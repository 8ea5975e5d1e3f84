import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { TenantDatabase, uuidIn } from '#persistence';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import type { Guide } from '../guide.entity.js';
import { translationsMissing } from '../guides.errors.js';
import { onlyProperty } from '../guides.events.js';
import { PlacesRepository } from '../places/places.repository.js';
import { textsOf } from '../translations/texts.js';
import { TranslationsRepository } from '../translations/translations.repository.js';
import { type PublicContent, publicPlace } from './public-content.js';

const put = `
  insert into published_guides (org_id, guide_id, slug, content) values ($1, $2, $3, $4)
  on conflict (org_id, guide_id) do update set content = $4`;

/** The live content: a copy, so that no change of the guide reaches guests before it is published. */
@Injectable()
export class Publications {
  constructor(
    private readonly database: TenantDatabase,
    private readonly places: PlacesRepository,
    private readonly translations: TranslationsRepository,
    private readonly properties: PropertiesService,
  ) {}

  /**
   * @param force whether texts without a translation may be published as they are written.
   * @returns what guests will read.
   * @throws conflict_error naming the untranslated texts.
   */
  async put(caller: Caller, guide: Guide, { force }: { force: boolean }): Promise<PublicContent> {
    const { name, sourceLocale, targetLocales } = guide;
    const sections = guide.sections.filter(({ audience }) => audience === 'guest');
    const places = (await this.places.of(guide)).filter(({ status }) => status === 'approved');
    const rows = await this.translations.all(guide, textsOf({ name, sections, places }));
    const missing = rows.filter(({ text }) => text === null);
    if (missing.length > 0 && !force)
      throw translationsMissing(missing.map(({ locale, textKey }) => ({ locale, textKey })));
    const translations: Record<string, Record<string, string>> = {};
    for (const { locale, textKey, text } of rows) if (text !== null) (translations[locale] ??= {})[textKey] = text;
    const content: PublicContent = {
      name,
      sourceLocale,
      targetLocales,
      sections,
      places: places.map(publicPlace),
      translations,
      variables: await this.variablesOf(caller, guide),
    };
    const row = [uuidIn(guide.orgId), uuidIn(guide.id), guide.slug, JSON.stringify(content)];
    this.database.defer(guide.orgId, put, row);
    return content;
  }

  withdraw({ orgId, id }: Guide): void {
    const text = 'delete from published_guides where org_id = $1 and guide_id = $2';
    this.database.defer(orgId, text, [uuidIn(orgId), uuidIn(id)]);
  }

  /**
   * Values exist only for a guide for one property. The page knows no guest, so guest.name and similar variables have
   * none.
   */
  private async variablesOf(caller: Caller, guide: Guide): Promise<Record<string, string>> {
    const propertyId = onlyProperty(guide);
    if (!propertyId) return {};
    const { name, checkInTime, checkOutTime } = await this.properties.get(caller, propertyId);
    return { 'property.name': name, 'property.checkInTime': checkInTime, 'property.checkOutTime': checkOutTime };
  }
}
