import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Outcome } from '#errors';
import type { Saved } from '#operations';
import type { ExternalRefChange, Referable } from '../../tenancy/references/external-ref.dto.js';
import { type Known, ReferencesRepository, type Save, unsaid } from '../../tenancy/references/references.repository.js';
import type { Connection } from '../connections/connection.entity.js';
import type { ThisReference, VersionedReference } from './by-reference.dto.js';
import { referenceNotFound } from './by-reference.errors.js';
import { NamedRecords, type Names, type Resolved } from './named-records.js';
import { PushConnections, refuseForm } from './push-connections.js';
import { differing, isSaved, saveOf } from './saved-content.js';

interface Referred {
  externalRefs?: ExternalRefChange[];
}

/** How records of one kind are saved. In the content, other records have their ids here. */
export interface Saver<Content extends object, View extends { id: string }> {
  readonly resource: Referable;
  /** What a first save says where it leaves a field out, if an undo takes that back. */
  readonly initially?: object;
  get(caller: Caller, id: string): Promise<View>;
  create(caller: Caller, connection: Connection, content: Resolved<Content> & Referred): Promise<View>;
  /**
   * The same for many, together; absent for kinds of which there are few.
   *
   * @throws ServiceError if one of them needs something that belongs to another record; then nothing may be kept.
   */
  createAll?(
    caller: Caller,
    connection: Connection,
    contents: readonly (Resolved<Content> & Referred)[],
  ): Promise<Outcome<{ id: string }>[]>;
  /**
   * The same as `change` for many, some of which may be unchanged; absent for kinds of which there are few.
   *
   * @throws ServiceError if one of them is in the way of the others: nothing of any may be kept then.
   */
  changeAll?(
    caller: Caller,
    connection: Connection,
    changes: readonly { id: string; changes: Resolved<Content> & Referred }[],
  ): Promise<Outcome<Saved<View>['outcome']>[]>;
  /** Locks what many saves will lock, in one order. */
  prepare?(caller: Caller, contents: readonly Content[], names: Names, knownIds: readonly string[]): Promise<void>;
  /** Restores a record that an undo archived. @returns whether it was archived. */
  reinstate?(caller: Caller, connection: Connection, id: string): Promise<boolean>;
  /** @param changes what the other system says otherwise than before. */
  change(
    caller: Caller,
    connection: Connection,
    id: string,
    changes: Resolved<Content> & Referred,
  ): Promise<Omit<Saved<View>, 'contentHash'>>;
}

/** The outcome of one record that was saved with others. */
export interface SavedInBulk {
  id: string;
  outcome: Saved<unknown>['outcome'];
  contentHash: string;
}

/** The facts before a save: whether the record exists, and the records that it names. */
export interface Context {
  connection: Connection;
  known?: Known;
  names: Names;
}

type Reader<View extends { id: string }> = Pick<Saver<never, View>, 'resource' | 'get'>;

/** Saves records under the ids of another system: what has changed there is applied, in its order. */
@Injectable()
export class SavesByReference {
  constructor(
    private readonly connections: PushConnections,
    private readonly references: ReferencesRepository,
    private readonly named: NamedRecords,
  ) {}

  async save<Content extends object, View extends { id: string }>(
    caller: Caller,
    saver: Saver<Content, View>,
    input: VersionedReference & Content,
  ): Promise<Saved<View>> {
    const connection = await this.connections.forSaving(caller, input.connectionId, [input.sourceVersion]);
    refuseForm(connection, input.sourceVersion);
    return await this.saveAs(caller, connection, saver, input);
  }

  private async saveAs<Content extends object, View extends { id: string }>(
    caller: Caller,
    connection: Connection,
    saver: Saver<Content, View>,
    input: VersionedReference & Content,
  ): Promise<Saved<View>> {
    const { connectionId, externalId } = input;
    const of = { resource: saver.resource, connectionId };
    await this.references.lock(caller.orgId, of, [externalId]);
    const known = (await this.references.find(caller.orgId, of, [externalId])).get(externalId);
    const context = { connection, known, names: await this.named.load(connection, [input]) };
    return await this.saveKnown(caller, saver, context, input);
  }

  /** Saves under a name that is locked. */
  async saveKnown<Content extends object, View extends { id: string }>(
    caller: Caller,
    saver: Saver<Content, View>,
    context: Context,
    { connectionId, externalId, sourceVersion, ...content }: VersionedReference & Content,
  ): Promise<Saved<View>> {
    const { known } = context;
    const save = saveOf(content, sourceVersion);
    if (known && isSaved(known, save)) return await this.unchanged(caller, saver, known, save);
    const saved = known
      ? await this.change(caller, saver, context, known, save, content as unknown as Content)
      : await this.create(caller, saver, context, externalId, content as unknown as Content);
    const { id: recordId } = saved.record;
    this.references.save(caller.orgId, { resource: saver.resource, connectionId }, [{ externalId, recordId, save }]);
    return { ...saved, contentHash: save.contentHash };
  }

  /** Says that a record is cancelled; a second time changes nothing. */
  async cancel<View extends { id: string }>(
    caller: Caller,
    saver: Saver<{ status?: 'cancelled' }, View>,
    input: VersionedReference,
  ): Promise<Saved<View>> {
    await this.find(caller, saver.resource, input);
    const { sourceVersion } = input;
    const connection = await this.connections.forSaving(caller, input.connectionId, [sourceVersion]);
    if (sourceVersion !== undefined) refuseForm(connection, sourceVersion);
    return await this.saveAs(caller, connection, saver, { ...input, status: 'cancelled' });
  }

  async get<View extends { id: string }>(caller: Caller, saver: Reader<View>, input: ThisReference): Promise<View> {
    return await saver.get(caller, await this.find(caller, saver.resource, input));
  }

  /** @throws not_found_error if the connection has no such record. */
  private async find(
    caller: Caller,
    resource: Referable,
    { connectionId, externalId }: ThisReference,
  ): Promise<string> {
    await this.connections.forReading(caller, connectionId);
    const known = await this.references.find(caller.orgId, { resource, connectionId }, [externalId]);
    const recordId = known.get(externalId)?.recordId;
    if (recordId === undefined) throw referenceNotFound();
    return recordId;
  }

  private async create<Content extends object, View extends { id: string }>(
    caller: Caller,
    saver: Saver<Content, View>,
    { connection, names }: Context,
    externalId: string,
    content: Content & Referred,
  ): Promise<Omit<Saved<View>, 'contentHash'>> {
    const externalRefs = namesOf(connection, externalId, content);
    const resolved = { ...names.resolve<Content>(content), externalRefs };
    return { record: await saver.create(caller, connection, resolved), outcome: 'created' };
  }

  private async change<Content extends object, View extends { id: string }>(
    caller: Caller,
    saver: Saver<Content, View>,
    { connection, names }: Context,
    known: Known,
    save: Save,
    content: Content,
  ): Promise<Omit<Saved<View>, 'contentHash'>> {
    const { recordId } = known;
    const changes = differing(content, save, known, saver.initially) as Content;
    const isBack = known.contentHash === unsaid && (await saver.reinstate?.(caller, connection, recordId)) === true;
    // If-Match is about the version before the record came back.
    const now = isBack ? { ...caller, expectedVersion: undefined } : caller;
    const changed =
      Object.keys(changes).length === 0
        ? { record: await saver.get(caller, recordId), outcome: 'unchanged' as const }
        : await saver.change(now, connection, recordId, names.resolve(changes));
    return isBack ? { ...changed, outcome: 'reinstated' } : changed;
  }

  private async unchanged<View extends { id: string }>(
    caller: Caller,
    saver: Reader<View>,
    { recordId }: Known,
    { contentHash }: Save,
  ): Promise<Saved<View>> {
    return { record: await saver.get(caller, recordId), outcome: 'unchanged', contentHash };
  }
}

/** The references of a new record, with the name that it is saved under. */
export const namesOf = (
  { id }: Connection,
  externalId: string,
  { externalRefs = [] }: Referred,
): ExternalRefChange[] => [...externalRefs, { connectionId: id, externalId }];
