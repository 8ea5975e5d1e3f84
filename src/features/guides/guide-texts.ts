import { Injectable } from '@nestjs/common';
import type { Guide } from './guide.entity.js';
import { guideTooLong } from './guides.errors.js';
import { GuidesRepository } from './guides.repository.js';
import { PlacesRepository } from './places/places.repository.js';
import { type GuideText, textsOf } from './translations/texts.js';
import { TranslationsRepository } from './translations/translations.repository.js';

const mostTexts = 600;

/** Keeps the translations of a guide in step with what it says. */
@Injectable()
export class GuideTexts {
  constructor(
    private readonly guides: GuidesRepository,
    private readonly places: PlacesRepository,
    private readonly translations: TranslationsRepository,
  ) {}

  /** Every text of the guide and of its places, but of the hidden ones. */
  async of(guide: Guide): Promise<GuideText[]> {
    const places = await this.places.of(guide);
    return textsOf({ ...guide, places: places.filter(({ status }) => status !== 'hidden') });
  }

  /**
   * To be called after every change of the guide or of a place: rows for new texts, stale marks for changed ones, and
   * the mark that the guide differs from what is live.
   *
   * @throws validation_error when the guide has got more texts than one page can hold.
   */
  async follow(guide: Guide): Promise<void> {
    const texts = await this.of(guide);
    if (texts.length > mostTexts) throw guideTooLong();
    this.translations.sync(guide, texts);
    this.guides.markChanged(guide);
  }
}
