import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { type Claim, type ClaimedRows, type ClaimedTable, ClaimedTables } from '#jobs';
import type { Page } from '#operations';
import { Cursors, TenantDatabase, uuidIn, type Where } from '#persistence';
import type { Place } from '../../../tenancy/stays/place.js';
import {
  type AccessCodeCountsView,
  accessCodeStatuses,
  type CountAccessCodes,
  type ListAccessCodes,
} from './access-code.dto.js';
import { AccessCode } from './access-code.entity.js';

const sortable = { updatedAt: { asc: 'updated_at', desc: 'updated_at' } };
const live = `status not in ('removed', 'failed')`;

/** The claim of the process that handles the code. */
export const claimOf = ({ orgId, id, attempt }: AccessCode): Claim => ({ orgId, id, fence: attempt });

@Injectable()
export class AccessCodesRepository {
  readonly claims: ClaimedTable;
  private readonly table: ClaimedRows<AccessCode>;

  constructor(
    private readonly database: TenantDatabase,
    tables: ClaimedTables,
    cursors: Cursors,
  ) {
    this.table = tables.rowsOf(AccessCode, cursors, {
      work: 'access-codes',
      table: 'access_codes',
      prefix: 'code',
      due: 'due_at',
      until: 'lease_until',
      fence: 'attempt',
      // Longer than all the calls for one code.
      leaseMs: 90_000,
    });
    this.claims = this.table.claims;
  }

  find(caller: Caller, accessCodeId: string): Promise<AccessCode | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(accessCodeId)));
  }

  list(caller: Caller, filters: ListAccessCodes): Promise<Page<AccessCode>> {
    const { status, updatedSince, limit, cursor, sort } = filters;
    const where = this.filtered(caller, filters).when(status, 'status = ?').since(updatedSince);
    return this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
  }

  async count(caller: Caller, filters: CountAccessCodes): Promise<AccessCodeCountsView> {
    const byStatus = Object.fromEntries(accessCodeStatuses.map((status) => [status, `status = '${status}'`]));
    const counts = await this.table.counts(caller.orgId, this.filtered(caller, filters), byStatus);
    return counts as unknown as AccessCodeCountsView;
  }

  private filtered(caller: Caller, { deviceId, propertyId, reservationId }: CountAccessCodes): Where {
    return this.visibleTo(caller)
      .when(deviceId && uuidIn(deviceId), 'device_id = ?')
      .when(propertyId && uuidIn(propertyId), 'property_id = ?')
      .when(reservationId && uuidIn(reservationId), 'reservation_id = ?');
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
  liveOfStays(orgId: string, reservationIds: readonly string[]): Promise<AccessCode[]> {
    const ofStays = 'reservation_id = any(?::uuid[])';
    const where = this.table.where(orgId).and(ofStays, reservationIds.map(uuidIn)).and(live);
    return this.table.find(orgId, where, 'order by device_id, id');
  }

  calledOffWith(orgId: string, reservationId: string): Promise<AccessCode[]> {
    const where = this.table.where(orgId).and('reservation_id = ? and called_off', uuidIn(reservationId));
    return this.table.find(orgId, where, 'order by device_id, id');
  }

  insert(code: AccessCode): Promise<AccessCode> {
    return this.table.insert(code);
  }

  update(code: AccessCode, changes: Partial<AccessCode>): Promise<AccessCode> {
    return this.table.update(code, changes);
  }

  /** Live codes move with their device; codes that are being removed, or are gone, keep their place. */
  moveWith({ orgId, id, propertyId }: { orgId: string; id: string; propertyId: string | null }): void {
    const text = `update access_codes set property_id = $3
      where org_id = $1 and device_id = $2 and status in ('scheduled', 'setting', 'set')`;
    this.database.defer(orgId, text, [uuidIn(orgId), uuidIn(id), propertyId && uuidIn(propertyId)]);
  }

  /** The code, locked, as long as the claim counts and it is due: it may have been changed since it was claimed. */
  ofClaim(claim: Claim, now: string): Promise<AccessCode | undefined> {
    const where = this.claims.where(claim).and('due_at <= ?', now);
    return this.table.findOne(claim.orgId, where, 'for no key update');
  }

  /** Records what became known of a code, if this attempt still has it and nobody changed it. */
  async note(code: AccessCode, known: Partial<AccessCode>): Promise<boolean> {
    const where = this.claims.where(claimOf(code)).and('version = ?', code.version);
    const noted = (await this.table.changeWhere(code.orgId, where, known)) !== undefined;
    if (noted) Object.assign(code, known);
    return noted;
  }

  /** A credential that is limited to some properties sees the codes of devices there. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }
}
