import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { bulkErrorOf, type Page } from '#operations';
import type { ChangeType } from '../../../platform/events/event-type.js';
import { EventsService } from '../../../platform/events/events.service.js';
import type { Guide } from '../guide.entity.js';
import { GuidesRepository } from '../guides.repository.js';
import { nothingTranslated, translationNotFound, variablesUnknown } from '../guides.errors.js';
import { onlyProperty } from '../guides.events.js';
import { GuidesService } from '../guides.service.js';
import { GuideTexts } from '../guide-texts.js';
import { variablesOf } from '../masks.js';
import type { GuideText } from './texts.js';
import type {
  EditedTranslation,
  EditTranslation,
  EditTranslations,
  ListTranslations,
  ThisTranslation,
} from './translation.dto.js';
import type { Translation } from './translation.entity.js';
import { translationApproved, translationEdited, type TranslationEventData } from './translations.events.js';
import { TranslationsRepository } from './translations.repository.js';

@Injectable()
export class TranslationsService {
  constructor(
    private readonly guides: GuidesService,
    private readonly guideRows: GuidesRepository,
    private readonly texts: GuideTexts,
    private readonly translations: TranslationsRepository,
    private readonly events: EventsService,
  ) {}

  async list(caller: Caller, input: ListTranslations): Promise<Page<Translation>> {
    const guide = await this.guides.get(caller, input.guideId);
    const texts = await this.texts.of(guide);
    const page = await this.translations.list(guide, texts, input);
    page.items.forEach((translation) => withSource(translation, texts));
    return page;
  }

  async edit(caller: Caller, { text, ...translation }: EditTranslation): Promise<Translation> {
    return await this.write(caller, translation, translationEdited, written(text));
  }

  /** Each text on its own: one that is refused does not hold up the others. */
  async editMany(caller: Caller, { guideId, texts: given }: EditTranslations): Promise<EditedTranslation[]> {
    const guide = await this.guides.forChange(caller, guideId);
    const texts = await this.texts.of(guide);
    const found = new Map((await this.translations.all(guide, texts)).map((one) => [one.id, one]));
    const results: EditedTranslation[] = [];
    for (const { translationId, text } of given) {
      const change = { guide, texts, translation: found.get(translationId), by: written(text) };
      results.push(
        await this.change(caller, change, translationEdited).then(
          (translation) => ({ translationId, translation }),
          (error: unknown) => ({ translationId, error: bulkErrorOf(error, caller.requestId, editing) }),
        ),
      );
    }
    return results;
  }

  async approve(caller: Caller, translation: ThisTranslation): Promise<Translation> {
    return await this.write(caller, translation, translationApproved, ({ text }) => {
      if (text === null) throw nothingTranslated();
      return { status: 'approved' };
    });
  }

  private async write(
    caller: Caller,
    { guideId, translationId }: ThisTranslation,
    happened: ChangeType<TranslationEventData>,
    by: Change['by'],
  ): Promise<Translation> {
    const guide = await this.guides.forChange(caller, guideId);
    const texts = await this.texts.of(guide);
    const translation = await this.translations.find(guide, texts, translationId);
    return await this.change(caller, { guide, texts, translation, by }, happened);
  }

  private async change(
    caller: Caller,
    { guide, texts, translation, by }: Change,
    happened: ChangeType<TranslationEventData>,
  ): Promise<Translation> {
    if (!translation) throw translationNotFound();
    expectVersion(caller, translation);
    const source = withSource(translation, texts);
    const changes = { ...by(translation, source), sourceHash: source.hash };
    const before = await this.translations.update(translation, changes);
    if (before === translation) return translation;
    this.guideRows.markChanged(guide);
    this.events.record(caller, happened, eventDataOf(guide, translation), eventDataOf(guide, before));
    return translation;
  }
}

/** A person's change of a translation, which makes it current for the text as it is written now. */
interface Change {
  readonly guide: Guide;
  readonly texts: readonly GuideText[];
  readonly translation: Translation | undefined;
  readonly by: (translation: Translation, source: GuideText) => Partial<Translation>;
}

/** @throws validation_error for a text with other variables than the original. */
const written =
  (text: string): Change['by'] =>
  (_, source) => {
    const known = new Set(variablesOf(source.text));
    const unknown = variablesOf(text).filter((variable) => !known.has(variable));
    if (unknown.length > 0) throw variablesUnknown(unknown);
    return { text, status: 'edited', origin: 'person', problem: null };
  };

const editing = { service: 'translations', method: 'editTranslations' };

const eventDataOf = (
  guide: Guide,
  { id: translationId, locale, textKey, status, text }: Translation,
): TranslationEventData & Pick<Translation, 'text'> => ({
  id: guide.id,
  propertyId: onlyProperty(guide),
  translationId,
  locale,
  textKey,
  status,
  text,
});

function withSource(translation: Translation, texts: readonly GuideText[]): GuideText {
  const source = texts.find(({ key }) => key === translation.textKey) as GuideText;
  translation.sourceText = source.text;
  return source;
}
