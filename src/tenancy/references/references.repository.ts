import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import { prefixOf, type Referable } from './external-ref.dto.js';

/** A name that a connection has for a record. */
export interface Reference {
  resource: Referable;
  connectionId: string;
  externalId: string;
}

/** What a system said when it saved a record by reference. */
export interface Save {
  sourceVersion: string | null;
  contentHash: string;
  /** A hash of the last value of each field. */
  said: Record<string, string>;
}

/** A save of a record under a name. */
export interface Saved {
  externalId: string;
  recordId: string;
  save: Save;
}

/** A reference with the record that it points to and, where it was saved by reference, what was said. */
export interface Known extends Partial<Save> {
  recordId: string;
}

/** The stored hash once an undo has reverted what a record's system said: none. */
export const unsaid = '';

const key = 'org_id = $1 and resource = $2 and connection_id = $3 and external_id';
const keyOf = (orgId: string, { resource, connectionId }: Omit<Reference, 'externalId'>): unknown[] => [
  uuidIn(orgId),
  resource,
  uuidIn(connectionId),
];

/** Which record another system means: the look-up of references. Records show them in their own column. */
@Injectable()
export class ReferencesRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** The connections among these that the caller can see, and whether the caller's credential may write for them. */
  async connections(caller: Caller, connectionIds: readonly string[]): Promise<Map<string, boolean>> {
    const rows = await this.database.rows(
      caller.orgId,
      `select id, coalesce(settings -> 'credentialIds' ? $4, true) as mine from connections
        where org_id = $1 and id = any($2::uuid[]) and ($3::uuid[] is null or property_id = any($3))`,
      [
        uuidIn(caller.orgId),
        connectionIds.map(uuidIn),
        caller.propertyIds?.map(uuidIn) ?? null,
        'id' in caller.credential ? caller.credential.id : '',
      ],
    );
    return new Map(rows.map(({ id, mine }) => [idColumn('connection').from(id) as string, mine as boolean]));
  }

  /** The connections that name the caller's credential as theirs. */
  async ownConnections({ orgId, credential }: Caller): Promise<ReadonlySet<string>> {
    if (!('id' in credential)) return new Set();
    const text = `select id from connections where org_id = $1 and settings -> 'credentialIds' ? $2`;
    const rows = await this.database.rows(orgId, text, [uuidIn(orgId), credential.id]);
    return new Set(rows.map(({ id }) => idColumn('connection').from(id) as string));
  }

  /** What a connection calls by these names, by name. */
  async find(
    orgId: string,
    of: Omit<Reference, 'externalId'>,
    externalIds: readonly string[],
  ): Promise<Map<string, Known>> {
    const rows = await this.database.rows(
      orgId,
      `select external_id, record_id, source_version, content_hash, said from external_refs where ${key} = any($4::text[])`,
      [...keyOf(orgId, of), externalIds],
    );
    const id = idColumn(prefixOf[of.resource]);
    return new Map(
      rows.map((row) => [
        row.external_id as string,
        {
          recordId: id.from(row.record_id) as string,
          ...(row.content_hash !== null && {
            sourceVersion: row.source_version as string | null,
            contentHash: row.content_hash as string,
            said: row.said as Save['said'],
          }),
        },
      ]),
    );
  }

  /** Waits for other saves under these names, until the transaction ends; in one order, so that none wait for each other. */
  async lock(orgId: string, of: Omit<Reference, 'externalId'>, externalIds: readonly string[]): Promise<void> {
    const names = externalIds.map((externalId) => JSON.stringify([...keyOf(orgId, of), externalId])).sort();
    const text = 'select pg_advisory_xact_lock(hashtextextended(name, 1)) from unnest($1::text[]) name';
    await this.database.rows(orgId, text, [names]);
  }

  /** @returns the record that has the name; another one where it was taken. */
  async add(orgId: string, { externalId, ...of }: Reference, recordId: string): Promise<string> {
    const added = await this.database.rows(
      orgId,
      `insert into external_refs (org_id, resource, connection_id, external_id, record_id) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning 1`,
      [...keyOf(orgId, of), externalId, uuidIn(recordId)],
    );
    if (added.length > 0) return recordId;
    return (await this.find(orgId, of, [externalId])).get(externalId)?.recordId ?? recordId;
  }

  /** Adds names of a connection that no other record has, with the next statement. */
  addAll(
    orgId: string,
    of: Omit<Reference, 'externalId'>,
    records: readonly { id: string; externalId: string }[],
  ): void {
    this.database.defer(
      orgId,
      `insert into external_refs (org_id, resource, connection_id, external_id, record_id)
       select $1, $2, $3, external_id, id from unnest($4::text[], $5::uuid[]) named (external_id, id) on conflict do nothing`,
      [...keyOf(orgId, of), records.map(({ externalId }) => externalId), records.map(({ id }) => uuidIn(id))],
    );
  }

  /** Removes what a connection calls a record, but for these names. */
  async removeOthers(
    orgId: string,
    of: Omit<Reference, 'externalId'>,
    recordId: string,
    externalIds: readonly string[],
  ): Promise<void> {
    await this.database.rows(orgId, `delete from external_refs where ${key} <> all($4::text[]) and record_id = $5`, [
      ...keyOf(orgId, of),
      externalIds,
      uuidIn(recordId),
    ]);
  }

  /** Notes what was saved, with the next statement. */
  save(orgId: string, of: Omit<Reference, 'externalId'>, saves: readonly Saved[]): void {
    this.database.defer(
      orgId,
      `insert into external_refs as r
         (org_id, resource, connection_id, external_id, record_id, source_version, content_hash, said)
       select $1, $2, $3, * from unnest($4::text[], $5::uuid[], $6::text[], $7::text[], $8::jsonb[])
       on conflict (org_id, resource, connection_id, external_id) do update
         set source_version = coalesce(excluded.source_version, r.source_version), content_hash = excluded.content_hash, said = r.said || excluded.said`,
      [
        ...keyOf(orgId, of),
        saves.map(({ externalId }) => externalId),
        saves.map(({ recordId }) => uuidIn(recordId)),
        saves.map(({ save }) => save.sourceVersion),
        saves.map(({ save }) => save.contentHash),
        saves.map(({ save }) => JSON.stringify(save.said)),
      ],
    );
  }

  /**
   * A record is no longer as its system said: a comparison names it as different, and the same version may be saved again,
   * with all that it says.
   */
  unsay(orgId: string, resource: Referable, recordId: string): void {
    const text = `update external_refs set content_hash = '${unsaid}', said = '{}'
                   where org_id = $1 and resource = $2 and record_id = $3 and content_hash is not null`;
    this.database.defer(orgId, text, [uuidIn(orgId), resource, uuidIn(recordId)]);
  }

  /** All names of a record go with it. */
  async forget(orgId: string, resource: Referable, recordId: string): Promise<void> {
    const text = 'delete from external_refs where org_id = $1 and resource = $2 and record_id = $3';
    await this.database.rows(orgId, text, [uuidIn(orgId), resource, uuidIn(recordId)]);
  }

  /** The names of a record are another one's from now on. */
  async move(orgId: string, resource: Referable, from: string, to: string): Promise<void> {
    const text = 'update external_refs set record_id = $4 where org_id = $1 and resource = $2 and record_id = $3';
    await this.database.rows(orgId, text, [uuidIn(orgId), resource, uuidIn(from), uuidIn(to)]);
  }
}
