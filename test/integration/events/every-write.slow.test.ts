import { readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Catalogue, fieldsOf, type Operation } from '#operations';
import { eventTypes } from '../../../src/platform/events/event-type.js';
import type { Json, Reply } from '../../support/api.js';
import { rowsOf } from '../../support/dump.js';
import { RequestLog } from '../../../src/platform/requests/request-log.service.js';
import { feedSettled } from '../../support/feed.js';
import { expectedImages, imagesOf, readable } from '../../support/images.js';
import { readRecord, type Subject } from '../../support/records.js';
import { sampled } from '../../support/sampled.js';
import { keyWith } from '../../support/factories.js';
import { startApp } from '../../support/start-app.js';
import { consequences, repeated, type Scene, scenes, world } from './scenes.js';

beforeAll(async () => {
  world.service = await startApp();
  world.api = (await keyWith(world.service.api)).api;
});
afterAll(() => world.service.close());

/** Operations that write without an event, each with its reason. */
const silent: Record<string, string> = {
  create_email_template: 'tells model_job.created, of a job that needs a model: test/integration/templates',
  modify_email_template: 'tells model_job.created, of a job that needs a model: test/integration/templates',
  cancelModelJob: 'tells model_job.cancelled, of a job that needs a model: test/integration/models',
  importGuidePlace: 'tells model_job.created and place.added, and needs a model: test/integration/guides',
  initializeLanguageTranslations: 'tells guide.translated, and needs a model: test/integration/guides',
  modify_workflow: 'tells model_job.created and workflow.updated, and needs a model: test/integration/workflows',
  create_workflow: 'tells model_job.created and workflow.created, and needs a model: test/integration/workflows',
  retranslateGuideText: 'tells guide.translated, and needs a model: test/integration/guides',
  revokeApplication: 'tells application.revoked, of an approval that needs the consent pages',
  replayWebhookDeliveries: 'sends events again; no record changes',
};

const feed = async (cursor?: string): Promise<{ events: Json[]; cursor: string }> => {
  await feedSettled(world.service);
  const { body } = await world.api.get(`/events?limit=100${cursor ? `&cursor=${cursor}` : ''}`);
  return { events: body.data, cursor: body.meta.pagination.nextCursor };
};
/** Everything that has happened since, and the end of the feed. */
const feedSince = async (cursor?: string): Promise<{ events: Json[]; cursor: string }> => {
  const page = await feed(cursor);
  if (page.events.length < 100) return page;
  const { events, cursor: end } = await feedSince(page.cursor);
  return { events: [...page.events, ...events], cursor: end };
};

const keyOf = ({ type, id }: Json): string => `${type} ${id}`;
const recordKey = ({ subject, data }: Json): string =>
  keyOf({ ...subject, ...(data.translationId && { id: data.translationId }) });
const subjectOf = ({ subject, data }: Json): Subject => ({ ...subject, data }) as Subject;

let cursor: string | undefined;

/** Reads what a scene has created, sends the request, and reads the audit entries, as a client would. */
async function witness(
  prepare: Scene,
  isCompared = false,
  isForeseen = true,
): Promise<{
  body: Json;
  events: Json[];
  entries: Json[];
  compared: string[];
  effects: Json[];
}> {
  const ask = await prepare();
  const prepared = await feedSince(cursor);
  cursor = prepared.cursor;
  if (isCompared) await leavesNothing(ask);
  const { effects } = await rehearse(ask);
  const changing = new Set(effects.map((effect) => keyOf(effect.subject)));
  const were = await recordsOf(
    isForeseen ? prepared.events.filter(({ subject }) => changing.has(keyOf(subject))) : prepared.events,
  );
  const { status, text, body } = await ask();
  if (status >= 300) throw new Error(text);
  const entries = (await world.api.get(`/audit-entries?limit=100&requestId=${body.meta.requestId}`)).body
    .data as Json[];
  const { events } = await feed(cursor);
  const compared: string[] = [];
  for (const [id, recorded] of Map.groupBy(entries.toReversed(), ({ target }) => keyOf(target))) {
    const event = events.findLast(({ subject }) => keyOf(subject) === id);
    if (!event || additions.has(event.type as string)) continue;
    const is = await readRecord(world.service, world.api, subjectOf(event));
    const was = were.get(recordKey(event));
    const images = imagesOf(recorded as { before: object | null; after: object | null }[] as never);
    // Background work has changed it again; an endpoint that fails gets no other version.
    if (is && 'failingSince' in is) is.failingSince = (was ?? is).failingSince;
    if (is && images.after && 'version' in images.after && images.after.version !== is.version) continue;
    expect({ id, ...readable(images, is ?? was) }).toEqual({
      id,
      ...expectedImages(was, is, event as { type: string; data: Json }),
    });
    compared.push(id.slice(0, id.indexOf(' ')));
  }
  return { body, events, entries, compared, effects };
}

/** Sends the request with `?dryRun=true`: returns what the write would change, and checks that it did not. */
async function rehearse(ask: () => Promise<Reply>): Promise<{ body: Json; effects: Json[] }> {
  const real = world.api;
  const dry = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}dryRun=true`;
  world.api = {
    ...real,
    post: (path, body, headers) => real.post(dry(path), body, headers),
    put: (path, body, headers) => real.put(dry(path), body, headers),
    patch: (path, body, headers) => real.patch(dry(path), body, headers),
    delete: (path, headers) => real.delete(dry(path), headers),
  };
  try {
    const { status, text, body } = await ask();
    if (status !== 200) throw new Error(`A rehearsal was answered with ${status} ${text}`);
    const { dryRun, effects, effectsTotal } = body.meta;
    expect({ dryRun, effectsTotal }).toEqual({ dryRun: true, effectsTotal: effects.length });
    return { body, effects };
  } finally {
    world.api = real;
  }
}

/** Every row and every file, because a rehearsal must leave nothing behind. */
const everything = async (): Promise<object> => ({
  rows: await rowsOf(world.service.database.url),
  files: readdirSync(world.service.config.dataDir, { recursive: true }).map(String).sort(),
});
/** Background work, including the request log, may write something during one try, but not during each of them. */
async function leavesNothing(ask: () => Promise<Reply>, tries = 5): Promise<void> {
  await world.service.app.get(RequestLog).write();
  const before = await everything();
  await rehearse(ask);
  const after = await everything();
  if (tries > 1 && !isDeepStrictEqual(after, before)) return await leavesNothing(ask, tries - 1);
  expect(after).toEqual(before);
}
/** The operations whose rehearsal is compared with everything. */
const wholly = sampled(Object.keys(scenes), 12);

/**
 * What a rehearsal and the audit trail both record of a change: its record, the previous values, and the changed
 * fields.
 */
const gistOf = (type: string, { before, after }: Json): Json => ({
  type,
  before: before && Object.entries(before).filter(([name]) => !name.endsWith('At')),
  after: after && Object.keys(after),
});
/** What a provider does and answers is not rehearsed. */
const callsOut = ({ transaction }: Operation): boolean => transaction === 'own';

/** The event is not about the record, but about something new that belongs to it. */
const additions = new Set([...eventTypes().values()].filter(({ kind }) => kind === 'addition').map(({ name }) => name));
/** Operations after which the record differs from its event, because background work continues with it. */
const unlike = new Set(['commentOnTask', 'runWorkflow', 'retryWorkflowRun', 'sendTestEmail', 'createConnection']);

const patches = Object.keys(scenes).filter((name) => /^(update|edit)[A-Z]/.test(name) && name !== 'editTranslations');
/** Inputs that a record does not show as given. */
const idle: Record<string, string[]> = { updateAccessCode: ['code', 'endsAt'] };

const scenesOf = (those: Record<string, [string[], Scene]>): Record<string, Scene> =>
  Object.fromEntries(Object.entries(those).map(([name, [, scene]]) => [name, scene]));

/** The records that some events are about, and the organization, as a client reads them now. */
async function recordsOf(events: readonly Json[]): Promise<Map<string, Json>> {
  const { data } = (await world.api.get('/organization')).body;
  const records = new Map<string, Json>([[keyOf({ type: 'organization', id: data.id }), data]]);
  for (const event of new Map(events.map((one) => [recordKey(one), one])).values())
    records.set(recordKey(event), await readRecord(world.service, world.api, subjectOf(event)));
  return records;
}
/** Records without what an undo does not restore: versions, times, signed links, and what was used up. */
const unstamped = (record: Json): Json =>
  JSON.parse(
    JSON.stringify(record ?? null, (name, value: unknown) => {
      if (['version', 'updatedAt', 'attachments', 'quotas'].includes(name)) return undefined;
      return ['archivedAt', 'activatedAt', 'publishedAt'].includes(name) ? value !== null : value;
    }),
  ) as Json;
const isOver = (record: Json): boolean =>
  !record ||
  Boolean(record.archivedAt ?? record.endedAt ?? record.revokedAt) ||
  ['archived', 'cancelled', 'hidden', 'removed', 'removing', 'revoked'].includes(record.status as string);

function expectReasons({ status, body }: Reply): void {
  expect([status, body.error.code]).toEqual([409, 'NOT_UNDOABLE']);
  for (const { reason } of body.error.details.entries) expect(reason).toMatch(/[.]$/);
}

/** Sends the request, undoes it, and compares the records; or reads the reasons. */
async function undoing(prepare: Scene): Promise<[isUndoable: boolean, status: number]> {
  const ask = await prepare();
  const prepared = await feedSince(cursor);
  cursor = prepared.cursor;
  const were = await recordsOf(prepared.events);
  const written = (await ask()).body;
  const { requestId, undoable } = written.meta;
  const entries = (await world.api.get(`/audit-entries?limit=100&requestId=${requestId}`)).body.data as Json[];
  const undo = await world.api.post('/changes/undo', { requestId });
  if (!undoable) {
    expectReasons(undo);
    return [undoable, undo.status];
  }
  expect([undo.text, undo.status]).toEqual([undo.text, 200]);
  const are = await recordsOf(prepared.events);
  // Letters are sent and workflows run in the background.
  for (const [key, was] of [...were].filter(([one]) => !/^(message|workflow_run)/.test(one)))
    expect({ key, ...unstamped(are.get(key)) }).toEqual({ key, ...unstamped(was) });
  const stays = undo.body.data.notUndoable.map(({ target }: Json) => keyOf(target)) as string[];
  const made = entries
    .filter(({ before }) => before === null)
    .map(({ target, after }) => ({ subject: target, data: after }));
  for (const [key, record] of await recordsOf(made as Json[]))
    expect([key, key.startsWith('organization') || stays.includes(key) || isOver(record)]).toEqual([key, true]);
  const undone = undo.body.data.undone.map(({ auditEntryId }: Json) => auditEntryId as string) as string[];
  expect(entries.map(({ id }) => id as string)).toEqual(expect.arrayContaining(undone));
  const after = (await world.api.get(`/audit-entries?limit=100&requestId=${undo.body.meta.requestId}`)).body
    .data as Json[];
  expect(after.map(({ action }) => action as string)).toEqual(after.map(() => 'undoChanges'));
  expect(after.map(({ undoes }) => undoes as string)).toEqual(expect.arrayContaining(undone));
  return [undoable, undo.status];
}

const handled = (name: string) => {
  const found = world.service.app
    .get(Catalogue)
    .all()
    .find(({ operation }) => operation.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
};

describe('every operation that writes', () => {
  it('has a scene here, or a reason to have no event', () => {
    const writes = world.service.app
      .get(Catalogue)
      .all()
      .filter(({ operation }) => operation.effect !== 'read')
      .map(({ operation }) => operation.name);
    expect(writes.length).toBeGreaterThan(40);
    expect([...Object.keys(scenes), ...Object.keys(silent)].sort()).toEqual([...writes].sort());
    const patching = world.service.app
      .get(Catalogue)
      .all()
      .filter(({ operation }) => operation.method === 'PATCH')
      .map(({ operation }) => operation.name);
    expect([...patches].sort()).toEqual([...patching].sort());
  });

  it.each(Object.entries(scenes))(
    '%s records what happened, once, and who did it',
    async (name, [expected, prepare]) => {
      const { events, entries, compared, effects } = await witness(
        prepare,
        wholly.includes(name),
        !callsOut(handled(name).operation),
      );
      const told = entries.toReversed().filter(({ before }) => !callsOut(handled(name).operation) || before === null);
      expect(effects.map((effect) => gistOf(effect.subject.type, effect))).toEqual(
        told.map((entry) => gistOf(entry.target.type, entry)),
      );
      const targets = new Set(entries.map(({ target }) => keyOf(target)));
      expect(unlike.has(name) || compared.length === targets.size).toBe(true);
      // Later work of the service may follow now, or with a later scene; and imports of a connection have their own
      // events.
      const isOfConnection = expected.every((type) => type.startsWith('connection.'));
      const shown = events
        .filter(
          ({ type, subject, actor }) =>
            expected.includes(type) || (actor.type === 'member' && targets.has(keyOf(subject))),
        )
        .filter(({ subject }) => !isOfConnection || subject.type === 'connection');
      expect(shown.map(({ type }) => type as string)).toEqual(expected);
      for (const { type, subject, actor } of shown) {
        expect(subject.type).toBe(eventTypes().get(type)?.subject);
        expect(actor.type === 'service' || actor.credential.kind === 'api-key').toBe(true);
      }
      expect(entries.map(({ action }) => action as string)).toEqual(entries.map(() => name));
      // The service may follow up later and automatically.
      const asked = shown.filter(({ actor }) => actor.type === 'member').map(({ subject }) => keyOf(subject));
      expect([...targets]).toEqual(expect.arrayContaining(asked));
      expect(entries.length).toBeGreaterThanOrEqual(asked.length);
      expect(entries.length).toBeLessThanOrEqual(events.length);
      for (const { actor, credential } of entries) {
        expect([actor.type, credential.kind]).toEqual(['member', 'api-key']);
      }
    },
  );

  it.each(Object.entries(consequences))(
    '%s records what follows, with the previous values',
    async (_, [kinds, prepare]) => {
      const { entries, compared } = await witness(prepare);
      expect([...compared].sort()).toEqual(kinds);
      for (const { before, after, target } of entries)
        expect([target.type, before === null, after === null]).toEqual([target.type, false, target.type === 'guest']);
    },
  );

  it.each(sampled(Object.entries({ ...scenesOf(scenes), ...scenesOf(consequences) }), 8))(
    '%s is undone field by field, or gives the reason why it cannot be',
    async (_, prepare) => {
      const [isUndoable, status] = await undoing(prepare);
      expect(status).toBe(isUndoable ? 200 : 409);
    },
  );

  it.each(patches)('%s without a change leaves version, events and entries unchanged', async (name) => {
    const { operation } = handled(name);
    const ask = await scenes[name]?.[1]();
    const changed = (await ask?.()) as Reply;
    const { data } = changed.body;
    const inputs = fieldsOf(operation.input).map((field) => field.name);
    const own = Object.fromEntries(
      inputs
        .filter(
          (field) => field in data && !operation.pathParameters.includes(field) && !(idle[name] ?? []).includes(field),
        )
        .map((field) => [field, data[field] as unknown]),
    );
    expect(Object.keys(own)).not.toEqual([]);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, parameter) =>
      parameter === operation.pathParameters.at(-1) ? data.id : data[parameter as string],
    );
    cursor = (await feedSince(cursor)).cursor;
    const { status, text, body } = await world.api.patch(path, own);
    expect([text, status]).toEqual([text, 200]);
    expect(body.data).toEqual(data);
    expect((await world.api.get(`/audit-entries?requestId=${body.meta.requestId}`)).body.data).toEqual([]);
    const { events } = await feed(cursor);
    expect(events.filter(({ actor }) => actor.type === 'member')).toEqual([]);
  });

  it.each(Object.entries(repeated))('%s repeated leaves version and entries unchanged', async (_, prepare) => {
    const ask = await prepare();
    const first = await ask();
    const again = await ask();
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    expect((await world.api.get(`/audit-entries?requestId=${again.body.meta.requestId}`)).body.data).toEqual([]);
  });

  it('reveal no guest', async () => {
    await feedSettled(world.service);
    const rows = JSON.stringify((await feed()).events) + JSON.stringify((await feed(cursor)).events);
    const { text } = await world.api.get('/audit-entries/export');
    for (const stored of [rows, text]) {
      expect(stored).toContain('guest_');
      expect(stored).not.toMatch(/Quentin|Quite tall|555 0100/);
    }
  });
});
