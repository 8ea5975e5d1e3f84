import { Injectable } from '@nestjs/common';
import type { Guide } from './guide.entity.js';
import { guideTooLong } from './guides.errors.js';
import { GuidesRepository } from './guides.repository.js';
import { PlacesRepository } from './places/places.repository.js';
import { type GuideText, textsOf } from './translations/texts.js';
import { TranslationsRepository } from './translations/translations.repository.js';

const mostTexts = 600;

/** Keeps a guide's translations in step with its texts. */
@Injectable()
export class GuideTexts {
  constructor(
    private readonly guides: GuidesRepository,
    private readonly places: PlacesRepository,
    private readonly translations: TranslationsRepository,
  ) {}

  /** Every text of the guide and of its places, except the hidden ones. */
  async of(guide: Guide): Promise<GuideText[]> {
    const places = await this.places.of(guide);
    return textsOf({ ...guide, places: places.filter(({ status }) => status !== 'hidden') });
  }

  /**
   * Call this after every change of the guide or of a place. It adds rows for new texts, marks changed ones as stale,
   * and marks the guide as different from what is live.
   *
   * @throws validation_error if the guide has more texts than one page can hold.
   */
  async follow(guide: Guide): Promise<void> {
    const texts = await this.of(guide);
    if (texts.length > mostTexts) throw guideTooLong();
    this.translations.sync(guide, texts);
    this.guides.markChanged(guide);
  }
}
