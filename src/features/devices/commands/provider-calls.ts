import { Injectable } from '@nestjs/common';
import type { Account } from '../../../outside/connections/connection-provider.js';
import type { CommandAnswer } from '../providers/device-answers.js';
import type { DeviceInquiry, DeviceOrder } from '../providers/device-provider.js';
import { DeviceProviders } from '../providers/device-providers.js';
import { ProviderContact } from '../providers/provider-contact.js';

const patienceMs = 30_000;

/** Calls to providers about commands. */
@Injectable()
export class ProviderCalls {
  constructor(
    private readonly providers: DeviceProviders,
    private readonly contact: ProviderContact,
  ) {}

  /** @returns undefined if the adapter broke the port's contract, after which the command may have taken effect. */
  async send(account: Account<object>, order: DeviceOrder, ended: AbortSignal): Promise<CommandAnswer | undefined> {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(patienceMs)]);
    const provider = this.providers.named(account.connection.provider);
    return await this.contact.checked(() =>
      this.contact.through(account, signal, () => provider.send(account, order, signal)),
    );
  }

  /** Bypasses the breaker, because it has no side effects and the outcome has to be known. */
  async inquire(
    account: Account<object>,
    inquiry: DeviceInquiry,
    ended: AbortSignal,
  ): Promise<CommandAnswer | undefined> {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(patienceMs)]);
    const provider = this.providers.named(account.connection.provider);
    return await this.contact.checked(() => provider.inquire(account, inquiry, signal));
  }
}
