import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { type Action, invalidField, type Outcome, ServiceError } from '#errors';
import { bulkErrorOf, isText, readInput } from '#operations';
import { TenantDatabase } from '#persistence';
import { mapInTurns, Slices } from '#turns';
import { EventsService } from '../../platform/events/events.service.js';
import { type Known, ReferencesRepository } from '../../tenancy/references/references.repository.js';
import type { Connection } from '../connections/connection.entity.js';
import { type BulkSave, type BulkSaveResult, mostAtomicItems } from './bulk.dto.js';
import type { VersionedReference } from './by-reference.dto.js';
import { bulkItemRefused, savedTwice, tooManyAtomic } from './by-reference.errors.js';
import { NamedRecords, type Names } from './named-records.js';
import { KnownSaves } from './known-saves.service.js';
import { NewSaves } from './new-saves.service.js';
import { PushConnections, refuseForm } from './push-connections.js';
import { type SavedInBulk, type Saver, SavesByReference } from './saves-by-reference.service.js';
import type { SourceVersion } from './source-version.js';

type Item<Content> = Omit<VersionedReference, 'connectionId'> & Content;

/** An item as it was read, or why it could not be. */
type Read<Content> = { externalId: string } & ({ item: Item<Content> } | { error: unknown });

/** Locks and look-ups of a slice cost as much as a few items. */
const fewestInSlice = 25;
const firstSlice = 50;

/** An operation that saves many: the class of an item, and what the error of an item names. */
interface BulkOperation<Content> {
  shape: new () => Item<Content>;
  action: Action;
}

/** The context of all slices of a bulk. */
interface Bulk<Content extends object, View extends { id: string }> {
  caller: Caller;
  action: Action;
  saver: Saver<Content, View>;
  connectionId: string;
  versions: readonly (SourceVersion | undefined)[];
}

type Asked = Pick<Bulk<never, never>, 'caller' | 'action'>;

/**
 * Saves many records by reference, each separately: one that is rejected does not affect the others. They are saved in
 * slices, so that requests for the same properties do not wait for all of them; an atomic bulk is one slice.
 */
@Injectable()
export class BulkSaves {
  constructor(
    private readonly saves: SavesByReference,
    private readonly newSaves: NewSaves,
    private readonly knownSaves: KnownSaves,
    private readonly connections: PushConnections,
    private readonly references: ReferencesRepository,
    private readonly named: NamedRecords,
    private readonly events: EventsService,
    private readonly database: TenantDatabase,
  ) {}

  async save<Content extends object, View extends { id: string }>(
    caller: Caller,
    saver: Saver<Content, View>,
    { shape, action }: BulkOperation<Content>,
    { connectionId, items, atomic = false }: BulkSave & { items: object[] },
  ): Promise<BulkSaveResult[]> {
    const indexed = items.map((item, index) => [item, index] as const);
    const read = await mapInTurns(indexed, ([item, index]) => readItem(shape, item, index));
    refuseTwice(read.map(({ externalId }) => externalId));
    if (atomic && items.length > mostAtomicItems) throw tooManyAtomic();
    const versions = itemsIn(read).map(({ sourceVersion }) => sourceVersion);
    const bulk = { caller, action, saver, connectionId, versions };
    const save = (some: typeof read) =>
      this.database.transaction(caller.orgId, () => this.saveSlice(bulk, some, atomic));
    if (atomic) return await save(read);
    const slices = new Slices(fewestInSlice, firstSlice);
    const results: BulkSaveResult[] = [];
    while (results.length < read.length)
      results.push(...(await slices.next((most) => save(read.slice(results.length, results.length + most)))));
    return results;
  }

  private async saveSlice<Content extends object, View extends { id: string }>(
    { caller, action, saver, connectionId, versions }: Bulk<Content, View>,
    read: readonly Read<Content>[],
    atomic: boolean,
  ): Promise<BulkSaveResult[]> {
    const valid = itemsIn(read);
    const connection = await this.connections.forSaving(caller, connectionId, versions);
    const of = { resource: saver.resource, connectionId };
    const externalIds = valid.map(({ externalId }) => externalId);
    await this.references.lock(caller.orgId, of, externalIds);
    const known = await this.references.find(caller.orgId, of, externalIds);
    const names = await this.named.load(connection, valid);
    const knownIds = [...known.values()].map(({ recordId }) => recordId);
    await saver.prepare?.(caller, valid, names, knownIds);
    const unknown = valid.filter(({ externalId }) => !known.has(externalId));
    const created = await this.newSaves.save(caller, saver, { connection, names }, unknown);
    const isKnown = valid.flatMap((item) => {
      const one = known.get(item.externalId);
      return one ? [{ ...item, known: one }] : [];
    });
    const changed = await this.knownSaves.save(caller, saver, { connection, names }, isKnown);
    const ready = new Map([...byName(unknown, created), ...byName(isKnown, changed)]);
    const results: BulkSaveResult[] = [];
    for (const [index, one] of read.entries()) {
      const outcome = ready.get(one.externalId);
      const result = outcome
        ? readyResult({ caller, action }, one.externalId, outcome)
        : await this.resultOf({ caller, action }, saver, { connection, known, names }, one);
      if (atomic && result.error) throw bulkItemRefused(index, result.error);
      results.push(result);
    }
    return results;
  }

  private async resultOf<Content extends object, View extends { id: string }>(
    { caller, action }: Asked,
    saver: Saver<Content, View>,
    { connection, known, names }: { connection: Connection; known: ReadonlyMap<string, Known>; names: Names },
    one: Read<Content>,
  ): Promise<BulkSaveResult> {
    const { externalId } = one;
    try {
      if ('error' in one) throw one.error;
      const input = { ...one.item, connectionId: connection.id };
      refuseForm(connection, input.sourceVersion);
      const context = { connection, known: known.get(externalId), names };
      const { record, outcome, contentHash } = await this.events.attempt(() =>
        this.saves.saveKnown(caller, saver, context, input),
      );
      return { externalId, outcome, id: record.id, contentHash };
    } catch (error) {
      return { externalId, error: bulkErrorOf(error, caller.requestId, action) };
    }
  }
}

function readyResult({ caller, action }: Asked, externalId: string, outcome: Outcome<SavedInBulk>): BulkSaveResult {
  if ('refusal' in outcome) return { externalId, error: bulkErrorOf(outcome.refusal, caller.requestId, action) };
  return { externalId, ...outcome.value };
}

const itemsIn = <Content>(read: readonly Read<Content>[]): Item<Content>[] =>
  read.flatMap((one) => ('item' in one ? one.item : []));

const byName = (items: readonly { externalId: string }[], outcomes: readonly Outcome<SavedInBulk>[] = []) =>
  outcomes.map((outcome, index) => [items[index]?.externalId, outcome] as const);

/** @throws validation_error for an item without an id, which could not be answered. */
function readItem<Content>(shape: new () => Item<Content>, item: object, index: number): Read<Content> {
  const { externalId } = item as { externalId?: unknown };
  if (!isText(externalId, 1, 200))
    throw invalidField(['items', index, 'externalId'], 'Pass text of 1 to 200 characters.');
  try {
    return { externalId, item: readInput(shape, item) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { externalId, error };
  }
}

function refuseTwice(externalIds: readonly string[]): void {
  const seen = new Set<string>();
  for (const [index, externalId] of externalIds.entries()) {
    if (seen.has(externalId)) throw savedTwice(index);
    seen.add(externalId);
  }
}
