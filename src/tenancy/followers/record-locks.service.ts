import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import { type UndoLock, UndoLocks, type UndoneRecord } from '../../platform/events/undo-locks.js';

/** The tables whose records can be locked together, in the order of all locks. */
const tables = {
  connection: 'connections',
  property: 'properties',
  unit_type: 'unit_types',
  reservation: 'reservations',
  unit: 'units',
  task: 'tasks',
};
type Kind = keyof typeof tables;
const inOrder = Object.keys(tables) as Kind[];

/** Ids of records, by their kind. */
export type LockedRecords = { readonly [kind in Kind]?: readonly string[] };

/** Records whose changes lock their property. */
const atProperties: readonly string[] = ['property', 'unit', 'unit_block', 'reservation', 'task'];

const ids = { property: idColumn('property'), unit: idColumn('unit') };

/**
 * Locks all records that a transaction will change in an order of its own: kind by kind, and each kind in the order of
 * ids, as everything else locks. Two transactions that lock in different orders deadlock.
 */
@Injectable()
export class RecordLocks implements UndoLock {
  constructor(
    private readonly database: TenantDatabase,
    undoLocks: UndoLocks,
  ) {
    undoLocks.are(this);
  }

  /** Locks records until the transaction ends, and with stays, units and tasks the places where they are. */
  async lock(caller: Caller, records: LockedRecords): Promise<void> {
    const { orgId, propertyIds } = caller;
    const places = await this.placesOf(orgId, records);
    const properties = [...(records.property ?? []), ...places.properties];
    const wanted: LockedRecords = {
      ...records,
      property: properties.filter((id) => !propertyIds || propertyIds.includes(id)),
      unit: [...(records.unit ?? []), ...places.units],
    };
    for (const kind of inOrder) await this.lockKind(orgId, kind, wanted[kind] ?? []);
  }

  async lockUndone(caller: Caller, records: readonly UndoneRecord[]): Promise<void> {
    const of = (kind: Kind) => records.flatMap(({ target }) => (target.type === kind ? target.id : []));
    const there = records.filter(({ target }) => atProperties.includes(target.type));
    const images = there.flatMap(({ changed }) => [changed?.before, changed?.after]);
    const named = (field: 'propertyId' | 'unitId') => images.flatMap((image) => (image?.[field] ?? []) as string[]);
    await this.lock(caller, {
      ...Object.fromEntries(inOrder.map((kind) => [kind, of(kind)])),
      property: [...there.flatMap(({ propertyId }) => propertyId ?? []), ...named('propertyId')],
      unit: [...of('unit'), ...named('unitId')],
    });
  }

  private async placesOf(
    orgId: string,
    { reservation = [], unit = [], task = [] }: LockedRecords,
  ): Promise<{ properties: string[]; units: string[] }> {
    const rows = await this.database.rows(
      orgId,
      `select property_id, unit_id from reservations where org_id = $1 and id = any($2::uuid[])
       union select property_id, unit_id from tasks where org_id = $1 and id = any($3::uuid[])
       union select property_id, null from units where org_id = $1 and id = any($4::uuid[])`,
      [uuidIn(orgId), ...[reservation, task, unit].map((some) => some.map(uuidIn))],
    );
    return {
      properties: rows.flatMap((row) => (ids.property.from(row.property_id) ?? []) as string[]),
      units: rows.flatMap((row) => (ids.unit.from(row.unit_id) ?? []) as string[]),
    };
  }

  private async lockKind(orgId: string, kind: Kind, recordIds: readonly string[]): Promise<void> {
    if (recordIds.length === 0) return;
    await this.database.rows(
      orgId,
      `select 1 from ${tables[kind]} where org_id = $1 and id = any($2::uuid[]) order by id for no key update`,
      [uuidIn(orgId), [...new Set(recordIds)].map(uuidIn)],
    );
  }
}
