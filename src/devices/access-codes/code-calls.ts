import { Injectable, Logger } from '@nestjs/common';
import type { Account } from '../../connections/connection-provider.js';
import { type CodeAnswer, type FoundCode, readCommandAnswer } from '../providers/device-answers.js';
import type { CodeKeeping } from '../providers/device-provider.js';
import type { AccessCode } from './access-code.entity.js';
import { CodeDigits } from './code-digits.js';

const patienceMs = 10_000;

/** Whom to ask about a code. */
export interface CodeContact {
  account: Account<object>;
  keeping: CodeKeeping;
  providerDeviceId: string;
}

/**
 * Contact with providers about codes. There a code is called by its id: what it is called here may name a guest, and by
 * its id it is recognized for certain.
 */
@Injectable()
export class CodeCalls {
  private readonly log = new Logger(CodeCalls.name);

  constructor(private readonly digits: CodeDigits) {}

  async set(
    { account, keeping, providerDeviceId }: CodeContact,
    code: AccessCode,
    ended: AbortSignal,
  ): Promise<CodeAnswer> {
    const { id, startsAt, endsAt, type } = code;
    const order = {
      codeId: id,
      providerDeviceId,
      name: id,
      code: this.digits.open(code),
      startsAt,
      endsAt,
      isOneTime: type === 'one_time',
    };
    return await this.held((signal) => keeping.set(account, order, signal), ended);
  }

  /** What the provider has of a code that it was asked to set; undefined where it is to be asked again. */
  async find(contact: CodeContact, code: AccessCode, ended: AbortSignal): Promise<CodeAnswer | undefined> {
    const listed = await this.own(contact, code, ended);
    if (!Array.isArray(listed)) return listed;
    const same = listed.find((found) => isSameTime(found, code));
    return same && { outcome: same.isSet ? 'confirmed' : 'accepted', providerRef: same.providerRef };
  }

  /** Takes back all that the provider has of a code; confirmed where that is nothing. */
  async remove(contact: CodeContact, code: AccessCode, ended: AbortSignal): Promise<Pick<CodeAnswer, 'outcome'>> {
    if (code.providerRef === null && !code.asked) return { outcome: 'confirmed' };
    const listed = await this.own(contact, code, ended);
    if (!Array.isArray(listed)) return listed;
    const { account, keeping, providerDeviceId } = contact;
    for (const { providerRef } of listed) {
      const gone = await this.held(
        (signal) => keeping.remove(account, { providerDeviceId, providerRef }, signal),
        ended,
      );
      if (gone.outcome !== 'confirmed') return gone;
    }
    return { outcome: 'confirmed' };
  }

  private async own(
    { account, keeping, providerDeviceId }: CodeContact,
    { id, providerRef }: AccessCode,
    ended: AbortSignal,
  ): Promise<FoundCode[] | { outcome: 'unknown' }> {
    try {
      const listed = await keeping.list(account, providerDeviceId, waiting(ended));
      if (listed.outcome !== 'read') return { outcome: 'unknown' };
      return listed.value.filter((found) => found.name === id || found.providerRef === providerRef);
    } catch (err) {
      this.log.error({ err }, 'An adapter of a device provider threw an error');
      return { outcome: 'unknown' };
    }
  }

  /** Holds an adapter to the port: whatever else it answers, nobody knows what happened. */
  private async held(call: (signal: AbortSignal) => Promise<CodeAnswer>, ended: AbortSignal): Promise<CodeAnswer> {
    try {
      const answer = await call(waiting(ended));
      if (readCommandAnswer(answer)) return answer;
      this.log.error('An adapter answered what the port of device providers does not know');
    } catch (err) {
      this.log.error({ err }, 'An adapter of a device provider threw an error');
    }
    return { outcome: 'unknown' };
  }
}

const waiting = (ended: AbortSignal): AbortSignal => AbortSignal.any([ended, AbortSignal.timeout(patienceMs)]);

const isSameTime = (found: FoundCode, code: AccessCode): boolean =>
  isSameMoment(found.startsAt, code.startsAt) && isSameMoment(found.endsAt, code.endsAt);

const isSameMoment = (one: string | null, other: string | null): boolean =>
  one && other ? Date.parse(one) === Date.parse(other) : one === other;
