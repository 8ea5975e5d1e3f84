import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import type { Page } from '#operations';
import { newId } from '#persistence';
import { EventsService } from '../../../platform/events/events.service.js';
import { propertyIsArchived } from '../../../tenancy/properties/properties.errors.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import type { Stay } from '../../../tenancy/stays/stay.js';
import { StaysRepository } from '../../../tenancy/stays/stays.repository.js';
import { UnitsService } from '../../../tenancy/units/units.service.js';
import type { Device } from '../device.entity.js';
import { deviceIsArchived, deviceNotFound } from '../devices.errors.js';
import { DevicesRepository } from '../devices.repository.js';
import type {
  AccessCodeCountsView,
  CountAccessCodes,
  CreateAccessCode,
  ListAccessCodes,
  RevealedAccessCode,
  ThisAccessCode,
  UpdateAccessCode,
} from './access-code.dto.js';
import { AccessCode, isLive } from './access-code.entity.js';
import {
  accessCodeNotFound,
  codeIsOver,
  codesNotOffered,
  stayIsElsewhere,
  stayIsOff,
  stayNotFound,
} from './access-codes.errors.js';
import { codeCreated, codeRemoved, codeUpdated } from './access-codes.events.js';
import { AccessCodesRepository } from './access-codes.repository.js';
import { CodeDigits } from './code-digits.js';
import {
  checkTimes,
  ended,
  instants,
  isAt,
  isOff,
  newCode,
  refuseTimesBeside,
  replanned,
  timesOf,
} from './code-plan.js';

/**
 * The wanted state of codes; CodeKeeper updates the devices. Changes of a device's codes lock the device first, so that
 * of two requests for its last slot one is rejected immediately.
 */
@Injectable()
export class AccessCodesService {
  constructor(
    private readonly codes: AccessCodesRepository,
    private readonly digits: CodeDigits,
    private readonly devices: DevicesRepository,
    private readonly properties: PropertiesService,
    private readonly units: UnitsService,
    private readonly stays: StaysRepository,
    private readonly events: EventsService,
  ) {}

  async count(caller: Caller, input: CountAccessCodes): Promise<AccessCodeCountsView> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    return await this.codes.count(caller, input);
  }

  async list(caller: Caller, input: ListAccessCodes): Promise<Page<AccessCode>> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    return await this.codes.list(caller, input);
  }

  async create(
    caller: Caller,
    { deviceId, reservationId, code: given, ...input }: CreateAccessCode,
  ): Promise<AccessCode> {
    refuseTimesBeside(reservationId, input);
    const device = await this.usable(caller, deviceId, reservationId);
    const stay = reservationId ? await this.stayAt(caller, device, reservationId) : undefined;
    const id = newId('code');
    const sealed = this.digits.seal(id, given ? this.digits.given(device, given) : await this.digits.madeUp(device));
    const { startsAt = null, endsAt = null } = stay ? timesOf(stay) : instants(input);
    const code = newCode(device, { ...input, id, sealed, startsAt, endsAt, reservationId: reservationId ?? null });
    await this.check(device, code);
    await this.codes.insert(code);
    this.events.record(caller, codeCreated, code);
    return code;
  }

  async update(caller: Caller, { accessCodeId, code: given, ...input }: UpdateAccessCode): Promise<AccessCode> {
    const { code, device } = await this.forChange(caller, accessCodeId);
    refuseTimesBeside(code.reservationId, input);
    const { name = code.name } = input;
    const digits = given && this.digits.given(device, given);
    const wanted: Partial<AccessCode> = {
      ...instants(input),
      ...(digits && digits !== this.digits.open(code) && { sealed: this.digits.seal(code.id, digits) }),
    };
    const isPlanned = Object.entries(wanted).every(([field, value]) => code[field as keyof AccessCode] === value);
    if (isPlanned) return await this.write(caller, code, { name });
    return await this.replan(caller, device, code, { name, ...wanted });
  }

  async regenerate(caller: Caller, { accessCodeId }: ThisAccessCode): Promise<AccessCode> {
    const { code, device } = await this.forChange(caller, accessCodeId);
    const sealed = this.digits.seal(code.id, await this.digits.madeUp(device));
    return await this.replan(caller, device, code, { sealed });
  }

  /** A code that is being removed, or is gone, is not changed. */
  async remove(caller: Caller, { accessCodeId }: ThisAccessCode): Promise<AccessCode> {
    const { code } = await this.lock(caller, accessCodeId);
    if (!isLive(code) || code.status === 'removing') return code;
    return await this.write(caller, code, ended(code));
  }

  async reveal(caller: Caller, { accessCodeId }: ThisAccessCode): Promise<RevealedAccessCode> {
    const code = await this.codes.find(caller, accessCodeId);
    if (!code) throw accessCodeNotFound();
    return { id: code.id, code: this.digits.open(code) };
  }

  private async replan(
    caller: Caller,
    device: Device,
    code: AccessCode,
    wanted: Partial<AccessCode>,
  ): Promise<AccessCode> {
    const changes = replanned(code, wanted);
    await this.check(device, Object.assign(new AccessCode(), code, changes));
    return await this.write(caller, code, changes);
  }

  private async check(device: Device, code: AccessCode): Promise<void> {
    checkTimes(code);
    const blocker = await this.digits.blockerAt(device, code);
    if (blocker) throw blocker.error;
  }

  private async write(caller: Caller, code: AccessCode, changes: Partial<AccessCode>): Promise<AccessCode> {
    const before = await this.codes.update(code, changes);
    this.events.record(caller, code.status === 'removed' ? codeRemoved : codeUpdated, code, before);
    return code;
  }

  /** Locks the place before the stay, and the stay before the device: everything locks in this order. */
  private async usable(caller: Caller, deviceId: string, reservationId: string | undefined): Promise<Device> {
    const seen = await this.devices.find(caller, deviceId);
    if (!seen) throw deviceNotFound();
    if (seen.propertyId) {
      await this.properties.lock(caller, [seen.propertyId]);
      if ((await this.properties.get(caller, seen.propertyId)).archivedAt) throw propertyIsArchived();
      if (seen.unitId) await this.units.usable(caller.orgId, seen.propertyId, seen.unitId);
    }
    if (reservationId) await this.stays.lock(caller, reservationId);
    const device = await this.devices.find(caller, deviceId, 'for no key update');
    if (!device) throw deviceNotFound();
    if (device.archivedAt) throw deviceIsArchived();
    if (!device.capabilities.accessCodes) throw codesNotOffered();
    return device;
  }

  private async stayAt(caller: Caller, device: Device, reservationId: string): Promise<Stay> {
    const stay = await this.stays.find(caller, reservationId);
    if (!stay) throw stayNotFound();
    if (!isAt(stay, device)) throw stayIsElsewhere();
    if (isOff(stay)) throw stayIsOff();
    return stay;
  }

  private async forChange(caller: Caller, accessCodeId: string): Promise<{ code: AccessCode; device: Device }> {
    const locked = await this.lock(caller, accessCodeId);
    const { status } = locked.code;
    if (!isLive(locked.code) || status === 'removing') throw codeIsOver(status);
    return locked;
  }

  private async lock(caller: Caller, accessCodeId: string): Promise<{ code: AccessCode; device: Device }> {
    const seen = await this.codes.find(caller, accessCodeId);
    if (!seen) throw accessCodeNotFound();
    const device = (await this.devices.findAnyForChange(caller.orgId, seen.deviceId)) as Device;
    const code = (await this.codes.findForChange(caller.orgId, accessCodeId)) as AccessCode;
    expectVersion(caller, code);
    return { code, device };
  }
}
