import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '#access';
import { EventsService } from '../../../platform/events/events.service.js';
import { PlaceUses } from '../../../organizations/place-uses.js';
import { type StayChange, StayChanges } from '../../../organizations/stay-changes.js';
import { type Stay, StaysRepository } from '../../../tenancy/stays/stays.repository.js';
import type { Device } from '../device.entity.js';
import { DevicesRepository } from '../devices.repository.js';
import { AccessCode, isLive } from './access-code.entity.js';
import { propertyHasCodes, unitHasCodes } from './access-codes.errors.js';
import { codeFailed, codeRemoved, codeUpdated } from '../../../devices/access-codes/access-codes.events.js';
import { AccessCodesRepository } from './access-codes.repository.js';
import { CodeDigits } from './code-digits.js';
import { ended, isAt, isOff, replanned, timesOf } from './code-plan.js';

/**
 * The codes of stays: moved when their stay moves and taken back when it is called off, or it or the device goes
 * elsewhere, in the same transaction. A stay is not kept from moving by a lock that is full then: the code says so, and
 * is taken back first where the lock has it.
 */
@Injectable()
export class CodeFollower implements OnModuleInit {
  constructor(
    private readonly changes: StayChanges,
    private readonly uses: PlaceUses,
    private readonly stays: StaysRepository,
    private readonly devices: DevicesRepository,
    private readonly codes: AccessCodesRepository,
    private readonly digits: CodeDigits,
    private readonly events: EventsService,
  ) {}

  onModuleInit(): void {
    this.changes.lock(({ orgId }, changes) =>
      this.devices.lockWithCodesOf(
        orgId,
        changes.map(({ stay }) => stay.id),
      ),
    );
    this.changes.listen((caller, change) => this.follow(caller, change));
    this.uses.add(async (orgId, place) => {
      const live = (await this.codes.liveAtPlace(orgId, place)).map(({ id }) => id);
      if (live.length === 0) return undefined;
      return place.unitId ? unitHasCodes(live) : propertyHasCodes(live);
    });
  }

  private async follow(caller: Caller, { stay, before }: StayChange): Promise<void> {
    if (!before) return;
    for (const { id, deviceId } of await this.codes.liveOfStay(caller.orgId, stay.id)) {
      const device = (await this.devices.findAnyForChange(caller.orgId, deviceId)) as Device;
      const code = (await this.codes.findForChange(caller.orgId, id)) as AccessCode;
      if (!isLive(code) || code.status === 'removing') continue;
      const changes = await this.changesOf(device, code, stay);
      if (changes) await this.write(caller, code, changes);
    }
  }

  /** A device that was moved, and is locked, takes its codes along, but for those of stays that are not where it is now. */
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

  private async write(caller: Caller, code: AccessCode, changes: Partial<AccessCode>): Promise<void> {
    const before = await this.codes.update(code, changes);
    const happened = { removed: codeRemoved, failed: codeFailed }[code.status as string] ?? codeUpdated;
    this.events.record(caller, happened, code, before);
  }

  private async changesOf(device: Device, code: AccessCode, stay: Stay): Promise<Partial<AccessCode> | undefined> {
    if (isOff(stay) || !isAt(stay, device)) return ended(code);
    const times = timesOf(stay);
    if (times.startsAt === code.startsAt && times.endsAt === code.endsAt) return undefined;
    const changes = replanned(code, times);
    const hindrance = await this.digits.hindranceAt(device, Object.assign(new AccessCode(), code, changes));
    return hindrance ? ended(code, hindrance.because) : changes;
  }
}
