import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { invalidField } from '#errors';
import type { Operation } from '#operations';
import { EventsService } from '../../../platform/events/events.service.js';
import type { Drafting } from '../../../outside/models/drafting.js';
import { type JobKind, ModelJobKinds } from '../../../outside/models/job-kind.js';
import type { ModelJobError, ModelJobView } from '../../../outside/models/model-job.dto.js';
import type { ModelJob } from '../../../outside/models/model-job.entity.js';
import { ModelJobsService } from '../../../outside/models/model-jobs.service.js';
import { canonicalLocale } from '#locales';
import type { Guide } from '../guide.entity.js';
import { sourceLocaleIsWritten } from '../guides.errors.js';
import { onlyProperty } from '../guides.events.js';
import { GuidesRepository } from '../guides.repository.js';
import { GuidesService } from '../guides.service.js';
import { GuideTexts } from '../guide-texts.js';
import type { GuideText } from './texts.js';
import { type Outcome, translate } from './translating.js';
import type { Translation } from './translation.entity.js';
import { guideTranslated } from './translations.events.js';
import { initializeLanguageTranslations, retranslateGuideText } from './translations.operations.js';
import { TranslationsRepository } from './translations.repository.js';

/** The requested texts: those that are named, or else all that a model may fill in without being asked for each. */
interface Wish {
  guideId: string;
  locale: string;
  textKeys?: string[];
  /** When this job marked rows as pending. Rows that another job has marked since belong to that one. */
  markedAt?: string;
}

/** A text with its translation from before the model was called, and the model's result. */
interface Draft {
  textKey: string;
  hash: string;
  before: string | null;
  outcome: Outcome;
}

const mostShown = 100;

/** Fills languages of a guide with a model, as drafts: guests see none of it before the guide is published. */
@Injectable()
export class MachineTranslations {
  constructor(
    kinds: ModelJobKinds,
    private readonly jobs: ModelJobsService,
    private readonly guides: GuidesService,
    private readonly guideRows: GuidesRepository,
    private readonly texts: GuideTexts,
    private readonly translations: TranslationsRepository,
    private readonly events: EventsService,
  ) {
    kinds.register(this.kindOf(initializeLanguageTranslations));
    kinds.register(this.kindOf(retranslateGuideText));
  }

  /** Adds the language and marks the texts to fill in. The model is called once that is committed. */
  async request<Input extends Wish>(
    caller: Caller,
    operation: Operation<Input, ModelJobView>,
    input: Input,
  ): Promise<ModelJob> {
    const guide = await this.guides.forChange(caller, input.guideId);
    const locale = canonicalLocale(input.locale, ['locale']);
    if (locale === guide.sourceLocale) throw sourceLocaleIsWritten();
    const texts = await this.texts.of(guide);
    refuseUnknown(input.textKeys ?? [], texts);
    await this.guides.addLocale(caller, guide, locale);
    const wish = { ...input, locale };
    const wanted = await this.wanted(guide, texts, wish);
    const missing = wanted.filter(({ text }) => text === null);
    const marked = { ...wish, markedAt: await this.translations.markPending(guide.orgId, missing) };
    return await this.jobs.request(caller, this.kindOf(operation), marked, onlyProperty(guide));
  }

  private kindOf<Input extends Wish>(operation: Operation<Input, ModelJobView>): JobKind<Input, Draft[]> {
    return {
      operation,
      make: (caller, input, drafting) => this.make(caller, input, drafting),
      save: (caller, input, drafts) => this.save(caller, input, drafts),
      abandon: (caller, input, error) => this.abandon(caller, input, error),
    };
  }

  private async make(caller: Caller, wish: Wish, drafting: Drafting): Promise<Draft[]> {
    const guide = await this.guides.get(caller, wish.guideId);
    const texts = await this.texts.of(guide);
    const before = new Map((await this.wanted(guide, texts, wish)).map((row) => [row.textKey, row.text]));
    const asked = texts.filter(({ key }) => before.has(key));
    const outcomes = await translate(asked, { from: guide.sourceLocale, into: wish.locale }, drafting);
    return asked.map(({ key, hash }) => ({
      textKey: key,
      hash,
      before: before.get(key) ?? null,
      outcome: outcomes.get(key) as Outcome,
    }));
  }

  /** Keeps what a person wrote after the model was called. A text that was reworded since becomes stale immediately. */
  private async save(caller: Caller, { guideId, locale }: Wish, drafts: Draft[]): Promise<Record<string, unknown>> {
    const guide = await this.guides.forChange(caller, guideId);
    const texts = await this.texts.of(guide);
    const hashes = new Map(texts.map(({ key, hash }) => [key, hash]));
    const rows = new Map((await this.rowsIn(guide, texts, locale)).map((row) => [row.textKey, row]));
    const [diff, failed, kept]: [object[], object[], string[]] = [[], [], []];
    for (const { textKey, hash, before, outcome } of drafts) {
      const row = rows.get(textKey);
      if (!row || row.text !== before) kept.push(textKey);
      else if ('problem' in outcome) {
        failed.push({ textKey, problem: outcome.problem });
        const changes = { problem: outcome.problem, ...(before === null && { status: 'failed' as const }) };
        await this.translations.update(row, changes);
      } else {
        const { text } = outcome;
        diff.push({ textKey, before, after: text });
        const status = hash === hashes.get(textKey) ? 'machine' : 'stale';
        await this.translations.update(row, { text, sourceHash: hash, status, origin: 'machine', problem: null });
      }
    }
    this.guideRows.markChanged(guide);
    const counts = { locale, translated: diff.length, failed: failed.length };
    this.events.record(caller, guideTranslated, { id: guideId, propertyId: onlyProperty(guide), ...counts });
    return { guideId, ...counts, diff: diff.slice(0, mostShown), warnings: warningsOf(failed, kept) };
  }

  private async abandon(caller: Caller, wish: Wish, error: ModelJobError | null): Promise<void> {
    const guide = await this.guideRows.find(caller, wish.guideId);
    if (!guide) return;
    const rows = await this.rowsIn(guide, await this.texts.of(guide), wish.locale);
    const changes = error ? { status: 'failed' as const, problem: error.message } : { status: 'missing' as const };
    const pending = rows.filter(({ status, updatedAt }) => status === 'pending' && updatedAt === wish.markedAt);
    await this.translations.updateAll(pending, changes);
  }

  private async rowsIn(guide: Guide, texts: readonly GuideText[], locale: string): Promise<Translation[]> {
    return (await this.translations.all(guide, texts)).filter((row) => row.locale === locale);
  }

  private async wanted(guide: Guide, texts: readonly GuideText[], { locale, textKeys }: Wish): Promise<Translation[]> {
    return (await this.rowsIn(guide, texts, locale)).filter(({ textKey, text, status, origin }) =>
      textKeys ? textKeys.includes(textKey) : text === null || (status === 'stale' && origin === 'machine'),
    );
  }
}

function refuseUnknown(textKeys: readonly string[], texts: readonly GuideText[]): void {
  const index = textKeys.findIndex((textKey) => !texts.some(({ key }) => key === textKey));
  if (index >= 0)
    throw invalidField(['textKeys', index], 'The guide has no text with this key. listTranslations returns the keys.');
}

const warningsOf = (failed: object[], kept: string[]): object[] => [
  ...failed.slice(0, mostShown),
  ...kept.slice(0, mostShown).map((textKey) => ({
    textKey,
    problem: 'Someone changed the translation in the meantime, so it was not replaced.',
  })),
];
