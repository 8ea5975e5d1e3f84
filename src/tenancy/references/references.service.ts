import { Injectable } from '@nestjs/common';
import { type Caller, may } from '#access';
import { idPattern } from '#operations';
import {
  type ExternalRef,
  type ExternalRefChange,
  mostReferences,
  type Referable,
  type ReferredTo,
  unreferred,
} from './external-ref.dto.js';
import {
  connectionNotFound,
  connectionNotYours,
  externalIdOfNone,
  referenceTaken,
  tooManyReferences,
  unknownConnection,
} from './references.errors.js';
import { ReferencesRepository } from './references.repository.js';

interface Referred {
  id: string;
  externalRefs: readonly ExternalRef[];
}

/** A new record, and the references that are given to it. */
interface NewlyReferred {
  id: string;
  refs: readonly ExternalRefChange[] | undefined;
}

const isSame = (one: ExternalRef, other: ExternalRefChange): boolean =>
  one.connectionId === other.connectionId && one.externalId === other.externalId;

/** What other systems call our records: merged by connection, and each name for one record only. */
@Injectable()
export class References {
  constructor(private readonly references: ReferencesRepository) {}

  /**
   * The references of a record after a change, whose look-up changes with them. One from before there were look-ups
   * stays as it is.
   *
   * @returns undefined where none were given.
   * @throws validation_error, permission_error or conflict_error.
   */
  async merged(
    caller: Caller,
    resource: Referable,
    record: Referred,
    given: readonly ExternalRefChange[] | undefined,
  ): Promise<ExternalRef[] | undefined> {
    if (!given) return undefined;
    const added = given.filter((one) => !record.externalRefs.some((known) => isSame(known, one)));
    const changed = new Set(added.map(({ connectionId }) => connectionId));
    await this.refuseUnknown(caller, record, added);
    const kept = record.externalRefs.filter(
      (known) => !changed.has(known.connectionId) || given.some((one) => isSame(known, one)),
    );
    const named = added.filter((one): one is ExternalRef => one.externalId !== null);
    const refs = [...kept, ...named].map(({ connectionId, externalId }) => ({ connectionId, externalId }));
    if (refs.length > mostReferences) throw tooManyReferences();
    for (const connectionId of changed) {
      const names = refs.flatMap((ref) => (ref.connectionId === connectionId ? ref.externalId : []));
      const hasSome = record.externalRefs.some((ref) => ref.connectionId === connectionId);
      await this.replace(caller, { resource, connectionId }, record.id, names, hasSome);
    }
    return refs;
  }

  /**
   * Whether the caller may look for records by their names at a connection, if that is asked.
   *
   * @throws validation_error, not_found_error or permission_error.
   */
  async admit(caller: Caller, { externalId, connectionId }: ReferredTo): Promise<void> {
    if (connectionId === undefined && externalId === undefined) return;
    if (connectionId === undefined) throw externalIdOfNone();
    const isOwn = (await this.references.connections(caller, [connectionId])).get(connectionId);
    if (isOwn === undefined) throw connectionNotFound();
    if (!isOwn && !may(caller, 'connections:read')) throw connectionNotYours();
  }

  /**
   * Adds the references of new records to their look-up.
   *
   * @throws validation_error, permission_error or conflict_error if one of them cannot have its references.
   */
  async name(caller: Caller, resource: Referable, records: readonly NewlyReferred[]): Promise<void> {
    const given = records.flatMap(({ id, refs = [] }) => refs.map((ref) => ({ ...ref, id })));
    await this.refuseUnknown(caller, unreferred(''), given);
    const named = given.filter((ref): ref is typeof ref & ExternalRef => ref.externalId !== null);
    for (const [connectionId, some] of Map.groupBy(named, (ref) => ref.connectionId))
      await this.nameAll(caller, { resource, connectionId }, some);
  }

  private async nameAll(
    { orgId }: Caller,
    of: { resource: Referable; connectionId: string },
    records: readonly { id: string; externalId: string }[],
  ): Promise<void> {
    this.references.addAll(orgId, of, records);
    const names = records.map(({ externalId }) => externalId);
    const holders = await this.references.find(orgId, of, names);
    for (const { id, externalId } of records) {
      const holder = holders.get(externalId)?.recordId ?? id;
      if (holder !== id) throw referenceTaken(holder);
    }
  }

  /** A record that is gone has no names. */
  forget(orgId: string, resource: Referable, recordId: string): Promise<void> {
    return this.references.forget(orgId, resource, recordId);
  }

  /**
   * Of two records one remains, with the names of both.
   *
   * @returns its references.
   */
  async joined(resource: Referable, from: Referred & { orgId: string }, to: Referred): Promise<ExternalRef[]> {
    await this.references.move(from.orgId, resource, from.id, to.id);
    const others = from.externalRefs.filter((one) => !to.externalRefs.some((known) => isSame(known, one)));
    return [...to.externalRefs, ...others].slice(0, mostReferences);
  }

  private async refuseUnknown(caller: Caller, record: Referred, added: readonly ExternalRefChange[]): Promise<void> {
    const wanted = [...new Set(added.map(({ connectionId }) => connectionId))];
    if (wanted.length === 0) return;
    const known = await this.references.connections(caller, wanted.filter(isConnectionId));
    for (const { connectionId, externalId } of added) {
      if (known.get(connectionId) === false) throw connectionNotYours();
      const isOld = externalId === null && record.externalRefs.some((ref) => ref.connectionId === connectionId);
      if (!known.has(connectionId) && !isOld) throw unknownConnection();
    }
  }

  private async replace(
    { orgId }: Caller,
    of: { resource: Referable; connectionId: string },
    recordId: string,
    externalIds: readonly string[],
    hasSome: boolean,
  ): Promise<void> {
    if (!isConnectionId(of.connectionId)) return;
    if (hasSome) await this.references.removeOthers(orgId, of, recordId, externalIds);
    for (const externalId of externalIds) {
      const holder = await this.references.add(orgId, { ...of, externalId }, recordId);
      if (holder !== recordId) throw referenceTaken(holder);
    }
  }
}

/** The references of a new record. */
export function referencesOf(given: readonly ExternalRefChange[] = []): ExternalRef[] {
  const named = given.filter((ref): ref is ExternalRef => ref.externalId !== null);
  if (named.length > mostReferences) throw tooManyReferences();
  return named.map(({ connectionId, externalId }) => ({ connectionId, externalId }));
}

const isConnectionId = (text: string): boolean => idPattern('connection').test(text);
