import { Injectable, Logger } from '@nestjs/common';
import CircuitBreaker from 'opossum';
import type { Account } from '../../connections/connection-provider.js';
import { type CommandAnswer, readCommandAnswer } from '../providers/device-answers.js';
import type { DeviceInquiry, DeviceOrder } from '../providers/device-provider.js';
import { DeviceProviders } from '../providers/device-providers.js';

/** A provider that hangs keeps so many of its commands waiting; the next ones are not sent. */
const atOnce = 16;
/** So many have to fail within ten seconds, and be half of all, before no more are sent for a moment. */
const failuresBeforeOpen = 5;
const openMs = 2_000;
const patienceMs = 30_000;

type Call = () => Promise<CommandAnswer>;

/**
 * Contact with providers: a circuit breaker and a bulkhead for each connection, so that one that hangs or is down costs
 * the others nothing; and the port's contract, to which every answer is held.
 */
@Injectable()
export class ProviderCalls {
  private readonly log = new Logger(ProviderCalls.name);
  private readonly breakers = new Map<string, CircuitBreaker<[Call], CommandAnswer>>();

  constructor(private readonly providers: DeviceProviders) {}

  /** @returns undefined where the adapter broke the port's contract, after which the command may have taken effect. */
  async send(account: Account<object>, order: DeviceOrder, ended: AbortSignal): Promise<CommandAnswer | undefined> {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(patienceMs)]);
    const provider = this.providers.named(account.connection.provider);
    const call = async (): Promise<CommandAnswer> => {
      const answer = await provider.send(account, order, signal);
      const isDown = answer.outcome === 'unreachable' || (answer.outcome === 'unknown' && signal.aborted);
      if (isDown) throw new ProviderIsDown(answer);
      return answer;
    };
    return await this.held(async () => {
      try {
        return await this.breakerOf(account).fire(call);
      } catch (error) {
        if (error instanceof ProviderIsDown) return error.answer;
        if (error instanceof Error && CircuitBreaker.isOurError(error)) return { outcome: 'unreachable' };
        throw error;
      }
    });
  }

  /** Past the breaker: it causes nothing, and what was sent has to be known. */
  async inquire(
    account: Account<object>,
    inquiry: DeviceInquiry,
    ended: AbortSignal,
  ): Promise<CommandAnswer | undefined> {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(patienceMs)]);
    return await this.held(() => this.providers.named(account.connection.provider).inquire(account, inquiry, signal));
  }

  private async held(call: Call): Promise<CommandAnswer | undefined> {
    try {
      const answer = readCommandAnswer(await call());
      if (!answer) this.log.error('An adapter answered what the port of device providers does not know');
      return answer;
    } catch (err) {
      this.log.error({ err }, 'An adapter of a device provider threw an error');
      return undefined;
    }
  }

  private breakerOf({ connection }: Account<object>): CircuitBreaker<[Call], CommandAnswer> {
    let breaker = this.breakers.get(connection.id);
    if (!breaker) {
      breaker = new CircuitBreaker((call: Call) => call(), {
        timeout: false,
        capacity: atOnce,
        volumeThreshold: failuresBeforeOpen,
        resetTimeout: openMs,
      });
      this.breakers.set(connection.id, breaker);
    }
    return breaker;
  }
}

class ProviderIsDown extends Error {
  constructor(readonly answer: CommandAnswer) {
    super(answer.outcome);
  }
}
