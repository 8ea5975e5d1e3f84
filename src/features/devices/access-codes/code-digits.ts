import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keyring } from '#secrets';
import type { Device } from '../device.entity.js';
import type { AccessCode } from './access-code.entity.js';
import { codeClashes, codeLengthNotTaken, noFreeSlot } from './access-codes.errors.js';
import { AccessCodesRepository } from './access-codes.repository.js';
import { beside, hasPlace } from './code-plan.js';

/** The lengths of any code (specification of the operations); a device may accept fewer. */
const shortest = 4;
const longest = 8;
const usual = 6;

/** The digits of codes, sealed each for its row; and whether a device can have them. */
@Injectable()
export class CodeDigits {
  constructor(
    private readonly keyring: Keyring,
    private readonly codes: AccessCodesRepository,
  ) {}

  open({ id, sealed }: Pick<AccessCode, 'id' | 'sealed'>): string {
    return this.keyring.open(sealed, contextOf(id));
  }

  seal(accessCodeId: string, digits: string): Buffer {
    return this.keyring.seal(digits, contextOf(accessCodeId));
  }

  /**
   * The given digits, if the device accepts that length.
   *
   * @throws validation_error if it does not.
   */
  given({ limits }: Device, digits: string): string {
    const { minCodeLength, maxCodeLength } = limits;
    if (digits.length < (minCodeLength ?? shortest) || digits.length > (maxCodeLength ?? longest))
      throw codeLengthNotTaken();
    return digits;
  }

  /** Digits that no code of the device has. */
  async madeUp({ orgId, id, limits }: Device): Promise<string> {
    const { minCodeLength, maxCodeLength } = limits;
    const length = Math.min(Math.max(usual, minCodeLength ?? shortest), maxCodeLength ?? longest);
    const taken = new Set((await this.codes.liveAtDevice(orgId, id)).map((code) => this.open(code)));
    for (;;) {
      const digits = String(randomInt(10 ** length)).padStart(length, '0');
      if (!taken.has(digits)) return digits;
    }
  }

  /**
   * Why a device cannot have a code in its new state. The device is locked, so that nobody else takes the slot.
   *
   * @returns conflict_error and the reason as a value; undefined if it can.
   */
  async blockerAt(device: Device, code: AccessCode) {
    const others = beside(code, await this.codes.liveAtDevice(device.orgId, device.id));
    const digits = this.open(code);
    const same = others.filter((other) => this.open(other) === digits);
    if (same.length > 0) return { because: 'clash' as const, error: codeClashes(same.map(({ id }) => id)) };
    if (hasPlace(device, code, others)) return undefined;
    return { because: 'no_free_slot' as const, error: noFreeSlot(device.limits.codeSlots as number) };
  }
}

const contextOf = (accessCodeId: string): string => `access-code:${accessCodeId}`;
