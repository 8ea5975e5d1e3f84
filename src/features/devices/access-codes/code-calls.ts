import { Injectable, Logger } from '@nestjs/common';
import type { Account } from '../../../outside/connections/connection-provider.js';
import type { CodeAnswer, FoundCode } from '../providers/device-answers.js';
import type { CodeKeeping } from '../providers/device-provider.js';
import { ProviderContact } from '../providers/provider-contact.js';
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
 * Calls to providers about codes, through the same gate as commands. Providers receive a code's id as its name, because
 * its real name may be a guest's and the id identifies it reliably.
 */
@Injectable()
export class CodeCalls {
  private readonly log = new Logger(CodeCalls.name);

  constructor(
    private readonly digits: CodeDigits,
    private readonly contact: ProviderContact,
  ) {}

  async set(to: CodeContact, code: AccessCode, ended: AbortSignal): Promise<CodeAnswer> {
    const { account, keeping, providerDeviceId } = to;
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
    return await this.checked(account, ended, (signal) => keeping.set(account, order, signal));
  }

  /** The state of a code that the provider was asked to set; undefined if it must be set again. */
  async find(to: CodeContact, code: AccessCode, ended: AbortSignal): Promise<CodeAnswer | undefined> {
    const listed = await this.own(to, code, ended);
    if (!listed) return unknown;
    const same = listed.find((found) => isSameTime(found, code));
    return same && { outcome: same.isSet ? 'confirmed' : 'accepted', providerRef: same.providerRef };
  }

  /** Removes everything that the provider has of a code; confirmed if there is nothing. */
  async remove(to: CodeContact, code: AccessCode, ended: AbortSignal): Promise<Pick<CodeAnswer, 'outcome'>> {
    if (code.providerRef === null && !code.asked) return { outcome: 'confirmed' };
    const listed = await this.own(to, code, ended);
    if (!listed) return unknown;
    const { account, keeping, providerDeviceId } = to;
    for (const { providerRef } of listed) {
      const gone = await this.checked(account, ended, (signal) =>
        keeping.remove(account, { providerDeviceId, providerRef }, signal),
      );
      if (gone.outcome !== 'confirmed') return gone;
    }
    return { outcome: 'confirmed' };
  }

  /** Undefined if the provider does not say. */
  private async own(
    { account, keeping, providerDeviceId }: CodeContact,
    { id, providerRef }: AccessCode,
    ended: AbortSignal,
  ): Promise<FoundCode[] | undefined> {
    const signal = waiting(ended);
    try {
      const listed = await this.contact.through(account, signal, () => keeping.list(account, providerDeviceId, signal));
      if (listed.outcome !== 'read') return undefined;
      return listed.value.filter((found) => found.name === id || found.providerRef === providerRef);
    } catch (err) {
      this.log.error({ err }, 'The adapter of a device provider threw an error');
      return undefined;
    }
  }

  private async checked(
    account: Account<object>,
    ended: AbortSignal,
    call: (signal: AbortSignal) => Promise<CodeAnswer>,
  ): Promise<CodeAnswer> {
    const signal = waiting(ended);
    return (await this.contact.checked(() => this.contact.through(account, signal, () => call(signal)))) ?? unknown;
  }
}

const unknown = { outcome: 'unknown' } as const;

const waiting = (ended: AbortSignal): AbortSignal => AbortSignal.any([ended, AbortSignal.timeout(patienceMs)]);

const isSameTime = (found: FoundCode, code: AccessCode): boolean =>
  isSameMoment(found.startsAt, code.startsAt) && isSameMoment(found.endsAt, code.endsAt);

const isSameMoment = (one: string | null, other: string | null): boolean =>
  one && other ? Date.parse(one) === Date.parse(other) : one === other;
