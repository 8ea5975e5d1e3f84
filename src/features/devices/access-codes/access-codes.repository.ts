import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { dueInTurns } from '#jobs';
import type { Page } from '#operations';
import { Cursors, recordOf, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Place } from '../../../organizations/place-uses.js';
import type { ListAccessCodes } from '../../../devices/access-codes/access-code.dto.js';
import { AccessCode } from './access-code.entity.js';

const sortable = { updatedAt: { asc: 'updated_at', desc: 'updated_at' } };
const live = `status not in ('removed', 'failed')`;
/** Looked for at once; more are found as soon as one of them is done. */
const dueCodes = dueInTurns({
  table: 'access_codes',
  since: 'due_at',
  where: '(lease_until is null or lease_until <= $1)',
});

/** A code for which there is something to do at the provider. */
export interface DueCode {
  orgId: string;
  id: string;
}

@Injectable()
export class AccessCodesRepository {
  private readonly table: Table<AccessCode>;

  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, AccessCode, cursors);
  }

  find(caller: Caller, accessCodeId: string): Promise<AccessCode | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(accessCodeId)));
  }

  list(caller: Caller, filters: ListAccessCodes): Promise<Page<AccessCode>> {
    const { deviceId, propertyId, reservationId, status, limit, cursor, sort } = filters;
    const where = this.visibleTo(caller)
      .when(deviceId && uuidIn(deviceId), 'device_id = ?')
      .when(propertyId && uuidIn(propertyId), 'property_id = ?')
      .when(reservationId && uuidIn(reservationId), 'reservation_id = ?')
      .when(status, 'status = ?');
    return this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
  }

  /** Locked until the transaction ends; its device is locked before. */
  findForChange(orgId: string, id: string): Promise<AccessCode | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(id)), 'for no key update');
  }

  /** What takes a place at a device, or will. */
  liveAtDevice(orgId: string, deviceId: string): Promise<AccessCode[]> {
    return this.table.find(orgId, this.table.where(orgId).and('device_id = ?', uuidIn(deviceId)).and(live));
  }

  /** Those of all devices that a connection brought, locked; the devices are locked before. */
  liveOfConnection(orgId: string, connectionId: string): Promise<AccessCode[]> {
    const atDevices = 'device_id in (select id from devices where org_id = access_codes.org_id and connection_id = ?)';
    const where = this.table.where(orgId).and(atDevices, uuidIn(connectionId)).and(live);
    return this.table.find(orgId, where, 'order by id for no key update');
  }

  liveAtPlace(orgId: string, { propertyId, unitId }: Place): Promise<AccessCode[]> {
    const atUnit = 'device_id in (select id from devices where org_id = access_codes.org_id and unit_id = ?)';
    const where = this.table
      .where(orgId)
      .and('property_id = ?', uuidIn(propertyId))
      .when(unitId && uuidIn(unitId), atUnit);
    return this.table.find(orgId, where.and(live));
  }

  /** By device, which is the order in which these are locked. */
  liveOfStay(orgId: string, reservationId: string): Promise<AccessCode[]> {
    const where = this.table.where(orgId).and('reservation_id = ?', uuidIn(reservationId)).and(live);
    return this.table.find(orgId, where, 'order by device_id, id');
  }

  insert(code: AccessCode): Promise<AccessCode> {
    return this.table.insert(code);
  }

  update(code: AccessCode, changes: Partial<AccessCode>): Promise<AccessCode> {
    return this.table.update(code, changes);
  }

  /** The codes of a device are where it is; those that are on their way out, or gone, stay with whom they were for. */
  moveWith({ orgId, id, propertyId }: { orgId: string; id: string; propertyId: string | null }): void {
    const text = `update access_codes set property_id = $3
      where org_id = $1 and device_id = $2 and status in ('scheduled', 'setting', 'set')`;
    this.database.defer(orgId, text, [uuidIn(orgId), uuidIn(id), propertyId && uuidIn(propertyId)]);
  }

  /** What nobody is at, in all organizations in turn. */
  async due(now: string): Promise<DueCode[]> {
    return (await this.system.rows(dueCodes, [now])).map(recordOf('code'));
  }

  /** Takes it up: whoever had it may not write to it any more. Undefined where it is not due now. */
  async take({ orgId, id }: DueCode, now: string, until: string): Promise<AccessCode | undefined> {
    const rows = await this.database.rows(
      orgId,
      `update access_codes set attempt = attempt + 1, lease_until = $4
        where org_id = $1 and id = $2 and due_at <= $3 and (lease_until is null or lease_until <= $3) returning id`,
      [uuidIn(orgId), uuidIn(id), now, until],
    );
    return rows.length > 0 ? await this.findForChange(orgId, id) : undefined;
  }

  /** Notes what became known of a code, where this attempt has it and nobody changed it meanwhile. */
  async note(code: AccessCode, known: Partial<AccessCode>): Promise<boolean> {
    const { orgId, id, attempt, version } = code;
    const { affected } = await this.database.manager
      .createQueryBuilder()
      .update(AccessCode)
      .set(known)
      .where('org_id = :orgId and id = :id and attempt = :attempt and version = :version', {
        orgId: uuidIn(orgId),
        id: uuidIn(id),
        attempt,
        version,
      })
      .execute();
    if (affected === 1) Object.assign(code, known);
    return affected === 1;
  }

  /** Lets go of a code that was changed meanwhile: it is due by what it is now. */
  async release({ orgId, id, attempt }: AccessCode): Promise<void> {
    const text = 'update access_codes set lease_until = null where org_id = $1 and id = $2 and attempt = $3';
    await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id), attempt]);
  }

  /** A credential that is limited to some properties sees the codes of devices there. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }
}
