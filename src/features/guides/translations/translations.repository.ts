import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import type { Guide } from '../guide.entity.js';
import type { GuideText } from './texts.js';
import type { ListTranslations } from './translation.dto.js';
import { Translation } from './translation.entity.js';

/**
 * Adds a row for each text and language that has none. A translation of an earlier wording becomes stale, and regains
 * its status if that wording returns.
 */
const sync = `
  insert into guide_translations as t
    (org_id, id, guide_id, locale, text_key, source_hash, status, version, created_at, updated_at)
  select $1::uuid, uuidv7(), $2::uuid, l.locale, s.text_key, s.hash, 'missing', 1, $3::timestamptz, $3::timestamptz
    from unnest($4::text[]) as l (locale), unnest($5::text[], $6::text[]) as s (text_key, hash)
  on conflict (org_id, guide_id, locale, text_key) do update
    set status = case when t.source_hash <> excluded.source_hash then 'stale'
                      when t.origin = 'person' then 'edited' else 'machine' end,
        version = t.version + 1, updated_at = excluded.updated_at
  where t.text is not null and (t.status = 'stale') = (t.source_hash = excluded.source_hash)`;

@Injectable()
export class TranslationsRepository {
  private readonly table: Table<Translation>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Translation, cursors);
  }

  sync({ orgId, id, targetLocales }: Guide, texts: readonly GuideText[]): void {
    const [now, keys, hashes] = [new Date().toISOString(), keysOf(texts), texts.map(({ hash }) => hash)];
    this.database.defer(orgId, sync, [uuidIn(orgId), uuidIn(id), now, targetLocales, keys, hashes]);
  }

  /** Rows of texts and languages that the guide no longer has are kept in case they return, but never shown. */
  list(guide: Guide, texts: readonly GuideText[], filters: ListTranslations): Promise<Page<Translation>> {
    const { locale, status, limit, cursor, sort } = filters;
    const where = this.current(guide, texts).when(locale, 'locale = ?').when(status, 'status = ?');
    return this.table.page(guide.orgId, where, { limit, cursor, sort });
  }

  all(guide: Guide, texts: readonly GuideText[]): Promise<Translation[]> {
    return this.table.find(guide.orgId, this.current(guide, texts), 'order by id');
  }

  find(guide: Guide, texts: readonly GuideText[], translationId: string): Promise<Translation | undefined> {
    return this.table.findOne(guide.orgId, this.current(guide, texts).and('id = ?', uuidIn(translationId)));
  }

  update(translation: Translation, changes: Partial<Translation>): Promise<Translation> {
    return this.table.update(translation, changes);
  }

  /**
   * Marks the texts as being translated by a model, and takes over those of an earlier job. @returns the time by which
   * a job recognizes its own rows.
   */
  async markPending(orgId: string, translations: readonly Translation[]): Promise<string | undefined> {
    if (translations.length === 0) return undefined;
    const now = new Date().toISOString();
    await this.table.changing(
      orgId,
      `update guide_translations set status = 'pending', version = version + 1, updated_at = $3
        where org_id = $1 and id = any($2::uuid[])`,
      [uuidIn(orgId), translations.map(({ id }) => uuidIn(id)), now],
    );
    return now;
  }

  async updateAll(translations: readonly Translation[], changes: Partial<Translation>): Promise<void> {
    await this.table.updateAll(translations, changes);
  }

  private current({ orgId, id, targetLocales }: Guide, texts: readonly GuideText[]): Where {
    return this.table
      .where(orgId)
      .and('guide_id = ?', uuidIn(id))
      .and('locale = any(?::text[])', targetLocales)
      .and('text_key = any(?::text[])', keysOf(texts));
  }
}

const keysOf = (texts: readonly GuideText[]): string[] => texts.map(({ key }) => key);
