import type { Json } from '../../support/api.js';
import { doorNames, doors } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { keyWith, propertyOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { hostileTexts } from '../../support/hostile-texts.js';
import { drafts, held, type Reply, respondsWith } from '../../support/model-server.js';
import { type ModelWorld, openModelWorld } from '../../support/model-world.js';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.model.asked.splice(0);
  world.model.script(translating((text) => `[pt] ${text}`));
});

const api = () => world.service.api.as(world.key);

/** The texts to translate, as the model sees them. */
const givenIn = ({ body }: { body: { messages: { role: string; content: string }[] } }): Record<string, string> => {
  const { content } = body.messages.find(({ role }) => role === 'user') as { content: string };
  return JSON.parse(/<data-\w+>\n([\s\S]*)\n<\/data-/.exec(content)?.[1] as string) as Record<string, string>;
};
const translating =
  (change: (text: string, isCorrection: boolean) => string): Reply =>
  (asked, response) => {
    const entries = Object.entries(givenIn(asked)).map(([name, text]) => [name, change(text, asked.isCorrection)]);
    drafts(Object.fromEntries(entries))(asked, response);
  };

const section = (...texts: string[]): object => ({
  title: 'House',
  blocks: texts.map((text) => ({ kind: 'text', text })),
});
const guideOf = async (texts: string[], wishes: object = {}): Promise<Json> => {
  const guide = { name: 'Welcome', sourceLocale: 'en', sections: [section(...texts)], ...wishes };
  const { status, body, text } = await api().post('/guides', guide);
  if (status !== 201) throw new Error(text);
  return body.data;
};
const rowsOf = async (guideId: string, query = ''): Promise<Json[]> =>
  (await api().get(`/guides/${guideId}/translations?limit=100&sort=createdAt${query}`)).body.data;
const textsOf = async (guideId: string): Promise<unknown[]> => (await rowsOf(guideId)).map(({ text }) => text);

/** Requests the translation of a language and waits for the end of the job. */
const initialize = (guideId: string, locale = 'pt'): Promise<Json> =>
  world.drafted(`/guides/${guideId}/translations/initialize`, { locale });
const retranslate = (guideId: string, textKeys: string[]): Promise<Json> =>
  world.drafted(`/guides/${guideId}/translations/retranslate`, { locale: 'pt', textKeys });

describe.each(doorNames)('over %s', (name) => {
  const ask = (operation: string, input: object, key = world.key) =>
    doors(world.service)[name].as(key).ask(operation, input);

  it('initializeLanguageTranslations translates the guide into a language, and publishes nothing', async () => {
    const propertyId = await propertyOf(api());
    const guide = await guideOf(['Be kind'], { propertyIds: [propertyId] });
    await api().post(`/guides/${guide.id}/publish`);
    const { status, body } = await ask('initializeLanguageTranslations', { guideId: guide.id, locale: 'PT-pt' });
    expect([status, body.data.propertyId, body.data.operation]).toEqual([
      202,
      propertyId,
      'initializeLanguageTranslations',
    ]);
    const job = await world.ended(body.data.id);
    expect(job).toMatchObject({
      status: 'succeeded',
      result: { locale: 'pt-PT', translated: 3, failed: 0, warnings: [] },
    });
    expect(job.result.diff[0]).toEqual({ textKey: 'name', before: null, after: '[pt] Welcome' });
    expect(await rowsOf(guide.id)).toMatchObject(
      ['Welcome', 'House', 'Be kind'].map((text) => ({
        locale: 'pt-PT',
        status: 'machine',
        origin: 'machine',
        sourceText: text,
        text: `[pt] ${text}`,
      })),
    );
    await feedSettled(world.service);
    const { data: events } = (await api().get(`/events?subject=${guide.id}&limit=100`)).body;
    expect(events.map(({ type }: Json) => type)).toEqual([
      'guide.saved',
      'guide.published',
      'guide.updated',
      'guide.translated',
    ]);
    expect(events.at(-1).data).toEqual({ id: guide.id, propertyId, locale: 'pt-PT', translated: 3, failed: 0 });
    const changed = (await api().get(`/guides/${guide.id}`)).body.data;
    expect([changed.locales, changed.hasUnpublishedChanges]).toEqual([['pt-PT'], true]);
    const shown = async () => await (await fetch(`${guide.url}?locale=pt-PT`)).text();
    expect(await shown()).not.toContain('[pt]');
    await api().post(`/guides/${guide.id}/publish`);
    expect(await shown()).toContain('<p>[pt] Be kind</p>');
  });

  it('rejects the original language, an invalid language, and unknown texts', async () => {
    const { id: guideId } = await guideOf(['Be kind']);
    const refused = async (operation: string, input: object) => {
      const reply = await ask(operation, { guideId, ...input });
      return [reply.status, issuePaths(reply)];
    };
    expect(await refused('initializeLanguageTranslations', { locale: 'EN' })).toEqual([400, ['locale']]);
    expect(await refused('initializeLanguageTranslations', { locale: '-' })).toEqual([400, ['locale']]);
    const textKeys = ['name', 'nothing.title'];
    expect(await refused('retranslateGuideText', { locale: 'pt', textKeys })).toEqual([400, ['textKeys.1']]);
    expect((await api().get(`/guides/${guideId}`)).body.data.locales).toEqual([]);
    expect(world.model.asked).toEqual([]);
  });

  it('both need guides:write, and a guide that the key can see', async () => {
    const { id: guideId } = await guideOf(['Be kind']);
    const [reader, limited] = [
      await keyWith(api(), { scopes: ['guides:read'] }),
      await keyWith(api(), { propertyIds: [await propertyOf(api())] }),
    ];
    for (const [operation, input] of [
      ['initializeLanguageTranslations', { guideId, locale: 'pt' }],
      ['retranslateGuideText', { guideId, locale: 'pt', textKeys: ['name'] }],
      ['importGuidePlace', { guideId, place: '1,1' }],
    ] as const) {
      expect((await ask(operation, input, reader.key)).status).toBe(403);
      expect((await ask(operation, input, limited.key)).status).toBe(404);
    }
  });
});

describe('a machine translation', () => {
  const protectedText =
    'Dear {{guest.name}}, enter `48 21` or 4821B at https://a.example/x?y=2 from 15:30, call +351 912345678';

  it('never sees variables, links, codes and numbers, and keeps them exactly', async () => {
    const guide = await guideOf([protectedText]);
    world.model.script(translating((text) => `Olá: ${text.split(' ').toReversed().join(' ')}`));
    expect((await initialize(guide.id)).result.failed).toBe(0);
    const prompts = JSON.stringify(world.model.asked);
    expect(prompts).not.toMatch(/guest\.name|48 21|4821B|a\.example|15:30|912345678/);
    const text = (await textsOf(guide.id))[2] as string;
    for (const part of [
      '{{guest.name}}',
      '`48 21`',
      '4821B',
      'https://a.example/x?y=2',
      '15:30',
      '+351',
      '912345678',
    ]) {
      expect(text.split(part)).toHaveLength(2);
    }
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['a changed number', (text) => text.replace(/⟦\d⟧$/, '999'), /lost .*912345678.*brought in 999/],
    ['a dropped link', (text) => text.replace('⟦4⟧', ''), /lost ⟦4⟧ \(https:\/\/a\.example/],
    ['a duplicated code', (text) => text.replace('⟦3⟧', '⟦3⟧ ⟦3⟧'), /brought in 4821B/],
    ['an added link', (text) => `${text} https://attacker.example`, /brought in https:\/\/attacker/],
    ['an added variable', (text) => `${text} {{guest.email}}`, /brought in \{\{guest\.email/],
    ['a number in another script', (text) => `${text} ٢٤`, /brought in ٢٤/],
    ['no text', () => ' ', /empty/],
  ])('with %s is the only one that fails, after two corrections', async (_, damage, problem) => {
    const guide = await guideOf(['Be kind', protectedText, 'Leave the key']);
    world.model.script(translating((text) => (text.includes('⟦') ? damage(text) : `[pt] ${text}`)));
    const job = await initialize(guide.id);
    expect(job).toMatchObject({ status: 'succeeded', result: { translated: 4, failed: 1 }, usage: { calls: 3 } });
    const rows = await rowsOf(guide.id);
    expect(rows.map(({ status }) => status)).toEqual(['machine', 'machine', 'machine', 'failed', 'machine']);
    expect(rows[3]).toMatchObject({ text: null, origin: null, problem: expect.stringMatching(problem) });
    expect(job.result.warnings).toEqual([{ textKey: rows[3]?.textKey, problem: rows[3]?.problem }]);
  });

  it('is corrected by the model when it is told what is missing', async () => {
    const guide = await guideOf(['Ring at 12']);
    world.model.script(
      translating((text, isCorrection) => (isCorrection ? `[pt] ${text}` : text.replace('⟦1⟧', 'doze'))),
    );
    expect((await initialize(guide.id)).result.failed).toBe(0);
    expect(world.model.asked.at(-1)?.body.messages.at(-1)?.content).toContain('lost ⟦1⟧ (12)');
    expect((await textsOf(guide.id))[2]).toBe('[pt] Ring at 12');
  });

  it('of texts that contain instructions is only a translation', async () => {
    const guide = await guideOf([...hostileTexts]);
    const job = await initialize(guide.id);
    expect(job).toMatchObject({ status: 'succeeded', result: { failed: 0 } });
    const outside = world.model.asked.flatMap(({ body }) =>
      body.messages.map(({ content }) => content.replace(/<data-\w+>\n[\s\S]*\n<\/data-\w+>/, '')),
    );
    for (const text of hostileTexts) for (const words of outside) expect(words).not.toContain(text.slice(0, 30));
    expect((await textsOf(guide.id)).slice(2)).toEqual(hostileTexts.map((text) => `[pt] ${text}`.trim()));
  });

  it('does not replace what a person wrote, unless its key is requested', async () => {
    const guide = await guideOf(['Be kind'], { locales: ['pt'] });
    const [title] = await rowsOf(guide.id);
    await api().patch(`/guides/${guide.id}/translations/${title?.id}`, { text: 'Bem-vindos' });
    await api().patch(`/guides/${guide.id}`, { name: 'Welcome all' });
    await initialize(guide.id);
    expect((await rowsOf(guide.id))[0]).toMatchObject({ text: 'Bem-vindos', status: 'stale', origin: 'person' });
    const job = await retranslate(guide.id, ['name']);
    expect(job.result.diff).toEqual([{ textKey: 'name', before: 'Bem-vindos', after: '[pt] Welcome all' }]);
    expect((await rowsOf(guide.id))[0]).toMatchObject({
      text: '[pt] Welcome all',
      status: 'machine',
      origin: 'machine',
    });
    expect(givenIn(world.model.asked.at(-1) as never)).toEqual({ t1: 'Welcome all' });
  });

  it('that was rejected leaves the previous text', async () => {
    const guide = await guideOf([], { name: 'Open at 9', sections: [], locales: ['pt'] });
    await initialize(guide.id);
    world.model.script(translating(() => 'Aberto'));
    expect((await retranslate(guide.id, ['name'])).result).toMatchObject({ translated: 0, failed: 1 });
    expect((await rowsOf(guide.id))[0]).toMatchObject({ text: '[pt] Open at 9', status: 'machine', problem: /9/ });
  });

  it('becomes stale with its text, and only then is regenerated', async () => {
    const guide = await guideOf(['Be kind', 'Leave the key']);
    await initialize(guide.id);
    const [{ blocks, ...kept }] = guide.sections;
    const sections = [{ ...kept, blocks: [{ ...blocks[0], text: 'Be very kind' }, blocks[1]] }];
    await api().patch(`/guides/${guide.id}`, { sections });
    expect((await rowsOf(guide.id, '&status=stale')).map(({ text }) => text)).toEqual(['[pt] Be kind']);
    world.model.asked.splice(0);
    await initialize(guide.id);
    expect(world.model.asked.map(givenIn)).toEqual([{ t1: 'Be very kind' }]);
    expect(await rowsOf(guide.id, '&status=stale')).toEqual([]);
    world.model.asked.splice(0);
    expect((await initialize(guide.id)).result).toMatchObject({ translated: 0, failed: 0 });
    expect(world.model.asked).toEqual([]);
  });

  /** A model that answers when a test says so. */
  const slowly = () => {
    const { reply, asked, release } = held(translating((text) => `[pt] ${text}`));
    world.model.script(reply);
    return { asked, release };
  };
  const begin = async (guideId: string): Promise<string> =>
    (await api().post(`/guides/${guideId}/translations/initialize`, { locale: 'pt' })).body.data.id;

  it('keeps what a person wrote during the translation, and is stale if the text has changed', async () => {
    const guide = await guideOf(['Be kind']);
    const { asked, release } = slowly();
    const jobId = await begin(guide.id);
    await asked;
    const rows = await rowsOf(guide.id);
    expect(rows.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
    await api().patch(`/guides/${guide.id}/translations/${rows[1]?.id}`, { text: 'Casa' });
    await api().patch(`/guides/${guide.id}`, { name: 'Hello' });
    release();
    const job = await world.ended(jobId);
    expect(job.result.warnings).toEqual([{ textKey: rows[1]?.textKey, problem: expect.stringContaining('changed') }]);
    expect((await rowsOf(guide.id)).map(({ text, status }) => [text, status])).toEqual([
      ['[pt] Welcome', 'stale'],
      ['Casa', 'edited'],
      ['[pt] Be kind', 'machine'],
    ]);
  });

  it('that is cancelled is missing again', async () => {
    const guide = await guideOf(['Be kind']);
    const { asked, release } = slowly();
    const jobId = await begin(guide.id);
    await asked;
    await api().post(`/model-jobs/${jobId}/cancel`);
    expect((await rowsOf(guide.id)).map(({ status }) => status)).toEqual(['missing', 'missing', 'missing']);
    release();
  });

  it('that is cancelled leaves pending what another job translates', async () => {
    const guide = await guideOf(['Be kind']);
    const { asked, release } = slowly();
    const first = await begin(guide.id);
    await asked;
    const second = retranslate(guide.id, ['name']);
    const versions = async () => (await rowsOf(guide.id)).map(({ version }) => version as number);
    await until(versions, ([name, title]) => (name as number) > (title as number));
    await api().post(`/model-jobs/${first}/cancel`);
    expect((await rowsOf(guide.id)).map(({ status }) => status)).toEqual(['pending', 'missing', 'missing']);
    release();
    expect((await second).status).toBe('succeeded');
    expect((await rowsOf(guide.id)).map(({ status }) => status)).toEqual(['machine', 'missing', 'missing']);
  });

  it('that cannot be read fails with its job', async () => {
    const guide = await guideOf(['Be kind']);
    world.model.script(respondsWith('I would rather not'));
    expect(await initialize(guide.id)).toMatchObject({ status: 'failed', error: { code: 'DRAFT_REFUSED' } });
    const rows = await rowsOf(guide.id);
    expect(rows.map(({ status, text }) => [status, text])).toEqual(rows.map(() => ['failed', null]));
    const { error } = (await api().post(`/guides/${guide.id}/publish`)).body;
    expect(error.code).toBe('TRANSLATIONS_MISSING');
  });

  it('is requested by the name of the language, whatever else its tag contains', async () => {
    const guide = await guideOf([], { sections: [], sourceLocale: 'en-x-private' });
    expect(await initialize(guide.id, 'de-DE-u-co-phonebk')).toMatchObject({ status: 'succeeded', attempts: 1 });
    const asked = JSON.stringify(world.model.asked[0]?.body.messages);
    expect(asked).toContain('from English (en-x-private) into German (Germany) (de-DE-u-co-phonebk)');
  });

  it('of a long guide is requested in parts', async () => {
    const guide = await guideOf(Array.from({ length: 45 }, (_, index) => `Line ${index}`));
    expect((await initialize(guide.id)).result).toMatchObject({ translated: 47, failed: 0 });
    expect(world.model.asked.map((asked) => Object.keys(givenIn(asked)).length)).toEqual([40, 7]);
  });
});
