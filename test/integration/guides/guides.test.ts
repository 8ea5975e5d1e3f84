import type { Json } from '../../support/api.js';
import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { absentId, keyWith } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

const sections = [
  { title: 'Welcome', blocks: [{ kind: 'text', text: 'Breakfast is in the garden of {{property.name}}.' }] },
  { title: 'For staff', audience: 'staff', blocks: [{ kind: 'fact', text: 'Alarm', value: '4821B' }] },
];
const written = { name: 'Welcome', sourceLocale: 'en', sections };

const guideOf = async (wishes: object = {}): Promise<Json> => {
  const { status, body, text } = await tenant.api.post('/guides', { ...written, ...wishes });
  if (status !== 201) throw new Error(text);
  return body.data;
};
const translationsOf = async (guideId: string, query = ''): Promise<Json[]> =>
  (await tenant.api.get(`/guides/${guideId}/translations?limit=100&sort=createdAt${query}`)).body.data;
const read = (guideId: string): Promise<Json> => tenant.api.get(`/guides/${guideId}`).then(({ body }) => body.data);
const page = (slug: string): Promise<Response> => fetch(`${tenant.service.url}/guides/${slug}`);

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);

  it('saveGuide returns a draft with an address and ids, and getGuide the same', async () => {
    const { status, body } = await ask('saveGuide', { ...written, locales: ['pt-pt', 'ar', 'en'] });
    expect(status).toBe(201);
    const { id, slug, createdAt, updatedAt, sections: kept, ...guide } = body.data;
    expect([/^guide_[0-9a-f]{32}$/.test(id), updatedAt]).toEqual([true, createdAt]);
    expect(slug).toMatch(/^welcome-[0-9a-f]{8}$/);
    expect(guide).toEqual({
      name: 'Welcome',
      status: 'draft',
      url: `${tenant.service.url}/guides/${slug}`,
      propertyIds: null,
      sourceLocale: 'en',
      locales: ['pt-PT', 'ar', 'en'],
      hasUnpublishedChanges: true,
      publishedAt: null,
      archivedAt: null,
      metadata: {},
      version: 1,
    });
    expect(kept.map(({ audience }: Json) => audience)).toEqual(['guest', 'staff']);
    expect(kept[1].blocks).toEqual([
      { id: expect.stringMatching(/^block_/), kind: 'fact', text: 'Alarm', value: '4821B' },
    ]);
    expect((await ask('getGuide', { guideId: id })).body.data).toEqual(body.data);
  });

  it.each([
    ['an unknown language', { sourceLocale: '-' }, 'sourceLocale'],
    ['an unknown language among others', { locales: ['pt', '-'] }, 'locales.1'],
    ['an invalid address', { slug: 'Lake House' }, 'slug'],
    [
      'a paragraph with a link',
      blocks({ kind: 'text', text: 'x', url: 'https://a.example' }),
      'sections.0.blocks.0.url',
    ],
    ['an empty list of steps', blocks({ kind: 'steps', steps: [] }), 'sections.0.blocks.0.steps'],
    ['a script', blocks({ kind: 'link', text: 'x', url: 'javascript:alert(1)' }), 'sections.0.blocks.0.url'],
    ['a fact without a value', blocks({ kind: 'fact', text: 'x' }), 'sections.0.blocks.0.value'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('saveGuide rejects %s', async (_, wishes, path) => {
    const reply = await ask('saveGuide', { ...written, ...wishes });
    expect([reply.status, issuePaths(reply)]).toEqual([400, [path]]);
  });

  it('an address belongs to one guide of all organizations, and is fixed after it was published', async () => {
    const slug = `taken-${door}`;
    const { id } = (await tenant.stranger.post('/guides', { ...written, slug })).body.data;
    const taken = await ask('saveGuide', { ...written, slug });
    expect([taken.status, taken.body.error.code]).toEqual([409, 'GUIDE_SLUG_TAKEN']);
    const guide = await guideOf();
    expect((await ask('updateGuide', { guideId: guide.id, slug })).body.error.code).toBe('GUIDE_SLUG_TAKEN');
    expect((await ask('updateGuide', { guideId: guide.id, slug: `free-${door}` })).body.data.slug).toBe(`free-${door}`);
    await ask('publishGuide', { guideId: guide.id });
    const fixed = await ask('updateGuide', { guideId: guide.id, slug: `other-${door}` });
    expect([fixed.status, fixed.body.error.code]).toEqual([409, 'GUIDE_SLUG_FIXED']);
    expect((await ask('getGuide', { guideId: id })).status).toBe(404);
  });

  it('updateGuide keeps the ids of unchanged parts, and with them the translations', async () => {
    const guide = await guideOf({ locales: ['pt'] });
    const [first] = guide.sections;
    const { body } = await ask('updateGuide', {
      guideId: guide.id,
      sections: [{ title: 'New', blocks: [{ kind: 'text', text: 'New' }] }, first],
    });
    const [added, kept] = body.data.sections;
    expect(kept).toEqual(first);
    expect(added.id).toMatch(/^section_/);
    expect([body.data.version, body.data.hasUnpublishedChanges]).toEqual([2, true]);
    expect((await translationsOf(guide.id)).map(({ textKey }) => textKey)).toEqual([
      'name',
      `${first.id}.title`,
      `${first.blocks[0].id}.text`,
      `${added.id}.title`,
      `${added.blocks[0].id}.text`,
    ]);
  });

  it('publishGuide lists untranslated texts that guests read, and continues when forced', async () => {
    const guide = await guideOf({ locales: ['pt'] });
    await tenant.api.post(`/guides/${guide.id}/places`, { name: 'Café', note: 'Good cake' });
    const refused = await ask('publishGuide', { guideId: guide.id });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'TRANSLATIONS_MISSING']);
    const { missing, missingCount } = refused.body.error.details;
    const [welcome] = guide.sections;
    const keys = [
      'name',
      `${welcome.id}.title`,
      `${welcome.blocks[0].id}.text`,
      expect.stringMatching(/^place_.*note$/),
    ];
    expect(missing).toEqual(keys.map((textKey) => ({ locale: 'pt', textKey })));
    expect(missingCount).toBe(4);
    expect((await page(guide.slug)).status).toBe(404);
    const { status, body } = await ask('publishGuide', { guideId: guide.id, force: true });
    expect([status, body.data.status, body.data.hasUnpublishedChanges]).toEqual([200, 'published', false]);
    expect((await page(guide.slug)).status).toBe(200);
  });

  it('the live version stays while a draft of the next version is written, until that is published', async () => {
    const guide = await guideOf();
    await ask('publishGuide', { guideId: guide.id });
    const shows = async (text: string) => (await (await page(guide.slug)).text()).includes(text);
    await ask('updateGuide', { guideId: guide.id, name: 'Benvenuti' });
    expect(await read(guide.id)).toMatchObject({ status: 'published', hasUnpublishedChanges: true, name: 'Benvenuti' });
    expect([await shows('Welcome'), await shows('Benvenuti')]).toEqual([true, false]);
    await ask('publishGuide', { guideId: guide.id });
    expect(await shows('Benvenuti')).toBe(true);
    const { status, body } = await ask('archiveGuide', { guideId: guide.id });
    expect([status, body.data.status]).toEqual([200, 'archived']);
    expect((await page(guide.slug)).status).toBe(404);
    for (const operation of ['updateGuide', 'publishGuide']) {
      const refused = await ask(operation, { guideId: guide.id });
      expect([refused.status, refused.body.error.code]).toEqual([409, 'GUIDE_ARCHIVED']);
    }
  });

  it('a limited key sees only the guides about its properties, and creates no others', async () => {
    const { key } = tenant.limited;
    const mine = await guideOf({ propertyIds: [tenant.here] });
    const hidden = [await guideOf(), await guideOf({ propertyIds: [tenant.here, tenant.elsewhere] })];
    const listed = (await ask('listGuides', { limit: 100 }, key)).body.data.map(({ id }: Json) => id);
    expect([mine, ...hidden].map(({ id }) => listed.includes(id))).toEqual([true, false, false]);
    for (const { id } of hidden) {
      for (const operation of ['getGuide', 'publishGuide', 'archiveGuide', 'listTranslations', 'listPlaces']) {
        expect((await ask(operation, { guideId: id }, key)).status).toBe(404);
      }
      expect((await ask('updateGuide', { guideId: id, name: 'Mine' }, key)).status).toBe(404);
      expect((await ask('addPlace', { guideId: id, name: 'Mine' }, key)).status).toBe(404);
    }
    expect((await ask('saveGuide', { ...written, propertyIds: [tenant.elsewhere] }, key)).status).toBe(404);
    expect((await ask('saveGuide', written, key)).body.data.propertyIds).toEqual([tenant.here]);
    expect((await ask('updateGuide', { guideId: mine.id, propertyIds: null }, key)).body.data.propertyIds).toEqual([
      tenant.here,
    ]);
  });

  it('listGuides filters by property and status, and omits archived ones', async () => {
    const wishes = { propertyIds: [tenant.elsewhere] };
    const [draft, live, archived] = [await guideOf(wishes), await guideOf(wishes), await guideOf(wishes)];
    await tenant.api.post(`/guides/${live.id}/publish`);
    await tenant.api.post(`/guides/${archived.id}/archive`);
    const list = async (filters: object) =>
      (await ask('listGuides', { propertyId: tenant.elsewhere, limit: 2, ...filters })).body.data.map(
        ({ id }: Json) => id,
      );
    expect(await list({})).toEqual([live.id, draft.id]);
    expect(await list({ status: 'published', limit: 1 })).toEqual([live.id]);
    expect(await list({ status: 'archived', limit: 1 })).toEqual([archived.id]);
    expect(await list({ updatedSince: archived.updatedAt })).toEqual([live.id, archived.id]);
  });

  it('finds no guide, place or translation of another organization', async () => {
    const theirs = (await tenant.stranger.post('/guides', { ...written, locales: ['pt'] })).body.data.id;
    const mine = await guideOf();
    const place = (await tenant.stranger.post(`/guides/${theirs}/places`, { name: 'Theirs' })).body.data.id;
    const [translation] = (await tenant.stranger.get(`/guides/${theirs}/translations`)).body.data;
    for (const [guideId, placeId, translationId] of [
      [theirs, place, translation.id],
      [mine.id, place, translation.id],
      [mine.id, absentId('place'), absentId('translation')],
    ]) {
      expect((await ask('updatePlace', { guideId, placeId, name: 'Mine' })).status).toBe(404);
      expect((await ask('hidePlace', { guideId, placeId })).status).toBe(404);
      expect((await ask('editTranslation', { guideId, translationId, text: 'Mine' })).status).toBe(404);
      expect((await ask('approveTranslation', { guideId, translationId })).status).toBe(404);
    }
    for (const guideId of [theirs, absentId('guide')]) expect((await ask('getGuide', { guideId })).status).toBe(404);
  });

  it('requires guides:read, guides:write and guides:publish', async () => {
    const { id: guideId } = await guideOf();
    const { key } = await keyWith(tenant.api, { scopes: ['guides:write'] });
    const status = async (operation: string, more: object = {}) =>
      (await ask(operation, { guideId, ...more }, key)).status;
    expect(await status('getGuide')).toBe(403);
    expect(await status('listPlaces')).toBe(403);
    expect(await status('listTranslations')).toBe(403);
    expect(await status('publishGuide')).toBe(403);
    expect(await status('archiveGuide')).toBe(403);
    expect(await status('updateGuide', { name: 'Mine' })).toBe(200);
  });

  it('addPlace approves what a person enters; updatePlace, hidePlace and approval decide what is published', async () => {
    const guide = await guideOf();
    const facts = { geo: { latitude: 38.7, longitude: -9.1 }, website: 'https://cafe.example/' };
    const added = await ask('addPlace', { guideId: guide.id, name: 'Café Central', category: 'food', ...facts });
    const { id, createdAt, updatedAt, ...place } = added.body.data;
    expect([added.status, createdAt]).toEqual([201, updatedAt]);
    expect(place).toEqual({
      guideId: guide.id,
      name: 'Café Central',
      category: 'food',
      status: 'approved',
      note: null,
      address: null,
      phone: null,
      openingHours: null,
      source: 'manual',
      sourceRef: null,
      attribution: null,
      version: 1,
      ...facts,
    });
    const published = async () => {
      await ask('publishGuide', { guideId: guide.id });
      return (await (await page(guide.slug)).text()).includes('Café Central');
    };
    expect(await published()).toBe(true);
    const input = { guideId: guide.id, placeId: id };
    expect((await ask('updatePlace', { ...input, status: 'draft', note: 'Closed' })).body.data).toMatchObject({
      status: 'draft',
      note: 'Closed',
      version: 2,
    });
    expect((await read(guide.id)).hasUnpublishedChanges).toBe(true);
    expect(await published()).toBe(false);
    expect((await ask('hidePlace', input)).body.data.status).toBe('hidden');
    const listed = async (filter: object) =>
      (await ask('listPlaces', { guideId: guide.id, ...filter })).body.data.map((one: Json) => one.id);
    expect([await listed({}), await listed({ status: 'hidden' })]).toEqual([[], [id]]);
    expect((await ask('updatePlace', { ...input, status: 'approved' })).body.data.status).toBe('approved');
    expect(await published()).toBe(true);
    const odd = await ask('updatePlace', { ...input, website: 'javascript:alert(1)' });
    expect([odd.status, issuePaths(odd)]).toEqual([400, ['website']]);
  });

  it('editTranslation and approveTranslation mark a text as a person’s', async () => {
    const guide = await guideOf({ locales: ['pt', 'de'] });
    const [, , text] = await translationsOf(guide.id, '&locale=pt');
    const input = { guideId: guide.id, translationId: text?.id };
    expect(text).toMatchObject({
      status: 'missing',
      text: null,
      origin: null,
      sourceText: sections[0]?.blocks[0]?.text,
    });
    const nothing = await ask('approveTranslation', input);
    expect([nothing.status, nothing.body.error.code]).toEqual([409, 'TRANSLATION_WITHOUT_TEXT']);
    const odd = await ask('editTranslation', { ...input, text: 'Olá {{guest.name}}' });
    expect([odd.status, issuePaths(odd)]).toEqual([400, ['text']]);
    const words = 'O pequeno-almoço é no jardim de {{ property.name }}.';
    const edited = (await ask('editTranslation', { ...input, text: words })).body.data;
    expect(edited).toMatchObject({ status: 'edited', origin: 'person', text: words, version: 2 });
    expect((await ask('approveTranslation', input)).body.data).toMatchObject({ status: 'approved', text: words });
    expect((await translationsOf(guide.id, '&status=approved')).map(({ id }) => id)).toEqual([text?.id]);
    expect(await translationsOf(guide.id, '&status=missing')).toHaveLength(2 * 5 - 1);
  });

  it('editTranslations writes many texts, with a result for each', async () => {
    const guide = await guideOf({ locales: ['pt', 'de'] });
    const elsewhere = (await translationsOf((await guideOf({ locales: ['pt'] })).id))[0];
    const [first, second] = await translationsOf(guide.id, '&locale=pt');
    const texts = [
      { translationId: first?.id, text: 'Bem-vindos' },
      { translationId: second?.id, text: 'Olá {{guest.name}}' },
      { translationId: elsewhere?.id, text: 'Não' },
      { translationId: 'no id', text: 'Não' },
    ];
    const { status, body } = await ask('editTranslations', { guideId: guide.id, texts });
    expect(status).toBe(200);
    expect(body.data.map(({ translationId }: Json) => translationId)).toEqual(texts.map((one) => one.translationId));
    const [written, ...refused] = body.data;
    expect(written.translation).toMatchObject({ status: 'edited', origin: 'person', text: 'Bem-vindos', version: 2 });
    expect(refused.map(({ error }: Json) => error.code)).toEqual(['VALIDATION_ERROR', 'NOT_FOUND', 'NOT_FOUND']);
    expect((await translationsOf(guide.id, '&status=edited')).map(({ id }) => id)).toEqual([first?.id]);
    await ask('archiveGuide', { guideId: guide.id });
    const late = await ask('editTranslations', { guideId: guide.id, texts: [texts[0]] });
    expect([late.status, late.body.error.code]).toEqual([409, 'GUIDE_ARCHIVED']);
  });

  it('a change of the text makes its translation stale, until it is changed back or approved', async () => {
    const guide = await guideOf({ locales: ['pt'] });
    const change = async (name: string) => {
      await ask('updateGuide', { guideId: guide.id, name });
      return (await translationsOf(guide.id))[0] as Json;
    };
    const [title] = await translationsOf(guide.id);
    const input = { guideId: guide.id, translationId: title?.id };
    await ask('editTranslation', { ...input, text: 'Bem-vindos' });
    const stale = await change('Welcome all');
    expect(stale).toMatchObject({ status: 'stale', text: 'Bem-vindos', origin: 'person', sourceText: 'Welcome all' });
    expect(await change('Welcome')).toMatchObject({ status: 'edited', text: 'Bem-vindos' });
    await change('Welcome all');
    const approved = (await ask('approveTranslation', input)).body.data;
    expect(approved).toMatchObject({ status: 'approved', text: 'Bem-vindos' });
    expect(approved.sourceHash).not.toBe(stale.sourceHash);
    expect((await translationsOf(guide.id)).map(({ status }) => status).slice(1)).not.toContain('stale');
  });
});

describe('a guide', () => {
  it('has at most 600 texts', async () => {
    const steps = Array.from({ length: 50 }, (_, index) => `Step ${index}`);
    const many = Array.from({ length: 12 }, () => ({ title: 'Steps', blocks: [{ kind: 'steps', steps }] }));
    const { status, body } = await tenant.api.post('/guides', { ...written, sections: many });
    expect([status, body.error.details.key]).toEqual([400, 'GUIDE_TOO_LONG']);
  });

  it('cannot be changed with an earlier version', async () => {
    const guide = await guideOf();
    const stale = { 'if-match': '"7"' };
    for (const reply of [
      await tenant.api.send('PATCH', `/guides/${guide.id}`, { name: 'x' }, stale),
      await tenant.api.send('POST', `/guides/${guide.id}/publish`, undefined, stale),
      await tenant.api.send('POST', `/guides/${guide.id}/archive`, undefined, stale),
    ]) {
      expect([reply.status, reply.body.error.code]).toEqual([409, 'VERSION_MISMATCH']);
    }
  });
});

function blocks(block: object): object {
  return { sections: [{ title: 'x', blocks: [block] }] };
}
