import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { ServiceError } from '#errors';
import { newId } from '#persistence';
import type { EventType } from '../../../platform/events/event-type.js';
import { EventsService } from '../../../platform/events/events.service.js';
import { placeOf, type Stay } from '../../../tenancy/stays/stay.js';
import { StaysRepository } from '../../../tenancy/stays/stays.repository.js';
import type { PlaceUser, StayChange, StayFollower } from '../../../tenancy/followers/followers.js';
import type { Place } from '../../../tenancy/stays/place.js';
import type { Device } from '../device.entity.js';
import { DevicesRepository } from '../devices.repository.js';
import { AccessCode, isLive } from './access-code.entity.js';
import { propertyHasCodes, unitHasCodes } from './access-codes.errors.js';
import { codeCreated, codeFailed, codeRemoved, codeUpdated } from './access-codes.events.js';
import { AccessCodesRepository } from './access-codes.repository.js';
import { CodeDigits } from './code-digits.js';
import { broughtBack, ended, isAt, isOff, newCode, replanned, timesOf } from './code-plan.js';

/**
 * The codes of stays: moved when their stay moves, to the lock of another unit too, and removed when it is cancelled or
 * when the device moves elsewhere, in the same transaction. A full lock does not prevent a stay from moving: the code records why it failed,
 * and is removed from the lock first if it is there.
 */
@Injectable()
export class CodeFollower implements StayFollower, PlaceUser {
  constructor(
    private readonly stays: StaysRepository,
    private readonly devices: DevicesRepository,
    private readonly codes: AccessCodesRepository,
    private readonly digits: CodeDigits,
    private readonly events: EventsService,
  ) {}

  lockFor({ orgId }: Caller, changes: readonly StayChange[]): Promise<unknown> {
    const stayIds = changes.map(({ stay }) => stay.id);
    return this.devices.lockWithCodesOf(orgId, stayIds);
  }

  async refusalAt(orgId: string, place: Place): Promise<ServiceError | undefined> {
    const live = (await this.codes.liveAtPlace(orgId, place)).map(({ id }) => id);
    if (live.length === 0) return undefined;
    return place.unitId ? unitHasCodes(live) : propertyHasCodes(live);
  }

  async followStays(caller: Caller, changes: readonly StayChange[]): Promise<void> {
    const stays = new Map(changes.flatMap(({ stay, before }) => (before ? [[stay.id, stay] as const] : [])));
    if (stays.size === 0) return;
    for (const { id, deviceId, reservationId } of await this.codes.liveOfStays(caller.orgId, [...stays.keys()])) {
      const stay = stays.get(reservationId as string) as Stay;
      const device = (await this.devices.findAnyForChange(caller.orgId, deviceId)) as Device;
      const code = (await this.codes.findForChange(caller.orgId, id)) as AccessCode;
      if (!isLive(code) || code.status === 'removing') continue;
      const wanted = await this.changesOf(device, code, stay);
      if (wanted) await this.write(caller, code, wanted);
    }
    for (const { stay, before } of changes)
      if (before && !isOff(stay) && (isOff(before) || placeOf(before) !== placeOf(stay)))
        await this.bringBack(caller, stay, before);
  }

  async foresee({ orgId }: Caller, stayIds: readonly string[]): Promise<{ type: EventType; count: number }> {
    return { type: codeUpdated, count: (await this.codes.liveOfStays(orgId, stayIds)).length };
  }

  /** A device that was moved, and is locked, keeps its codes, except those of stays that are not at its new place. */
  async followDevice(caller: Caller, device: Device): Promise<void> {
    const { orgId, id: deviceId } = device;
    for (const { id, reservationId } of await this.codes.liveAtDevice(orgId, deviceId)) {
      if (!reservationId) continue;
      const code = (await this.codes.findForChange(orgId, id)) as AccessCode;
      const stay = await this.stays.find(caller, reservationId);
      if (code.status === 'removing' || (stay && isAt(stay, device))) continue;
      await this.write(caller, code, ended(code));
    }
    this.codes.moveWith(device);
  }

  /**
   * Codes that ended with their stay, or when it left their place: on their device if the stay is there now, or else on
   * the lock of its unit, as far as these have room for them.
   */
  private async bringBack(caller: Caller, stay: Stay, before: Stay): Promise<void> {
    const { orgId } = caller;
    const times = timesOf(stay);
    if (Date.parse(stay.departureAt) <= Date.now()) return;
    const wasInPart = Boolean(before.unitId ?? before.unitTypeId);
    for (const { id, deviceId } of await this.codes.calledOffWith(orgId, stay.id)) {
      const device = (await this.devices.findAnyForChange(orgId, deviceId)) as Device;
      const code = (await this.codes.findForChange(orgId, id)) as AccessCode;
      if (!device.archivedAt && isAt(stay, device)) {
        const changes = broughtBack(code, times);
        const blocker = await this.digits.blockerAt(device, Object.assign(new AccessCode(), code, changes));
        if (!blocker) await this.write(caller, code, changes);
      } else if (stay.unitId && device.unitId && wasInPart) await this.moveTo(caller, code, stay, stay.unitId);
    }
  }

  /** The same digits on the lock of another unit, unless it has them already. */
  private async moveTo(caller: Caller, { name, type, ...code }: AccessCode, stay: Stay, unitId: string): Promise<void> {
    const [lock] = await this.devices.takingCodesIn(caller.orgId, unitId);
    if (!lock) return;
    const id = newId('code');
    const sealed = this.digits.seal(id, this.digits.open(code));
    const { startsAt = null, endsAt = null } = timesOf(stay);
    const moved = newCode(lock, { id, name, type, sealed, startsAt, endsAt, reservationId: stay.id });
    if (await this.digits.blockerAt(lock, moved)) return;
    await this.codes.insert(moved);
    this.events.record(caller, codeCreated, moved);
  }

  private async write(caller: Caller, code: AccessCode, changes: Partial<AccessCode>): Promise<void> {
    const before = await this.codes.update(code, changes);
    const happened = { removed: codeRemoved, failed: codeFailed }[code.status as string] ?? codeUpdated;
    this.events.record(caller, happened, code, before);
  }

  private async changesOf(device: Device, code: AccessCode, stay: Stay): Promise<Partial<AccessCode> | undefined> {
    if (isOff(stay)) return { ...ended(code), calledOff: true };
    if (!isAt(stay, device)) return { ...ended(code), calledOff: true };
    const times = timesOf(stay);
    if (times.startsAt === code.startsAt && times.endsAt === code.endsAt) return undefined;
    const changes = replanned(code, times);
    const blocker = await this.digits.blockerAt(device, Object.assign(new AccessCode(), code, changes));
    return blocker ? ended(code, blocker.because) : changes;
  }
}
