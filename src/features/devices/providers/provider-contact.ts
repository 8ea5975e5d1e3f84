import { Injectable, Logger } from '@nestjs/common';
import CircuitBreaker from 'opossum';
import type { Account } from '../../../outside/connections/connection-provider.js';
import { type CodeAnswer, type CommandAnswer, readCommandAnswer } from './device-answers.js';

/** The number of callers that a hanging provider can keep waiting. Further calls are rejected. */
const atOnce = 16;
/** The number of calls that must fail within ten seconds, and be half of all, before the breaker opens for a moment. */
const failuresBeforeOpen = 5;
const openMs = 2_000;

type Call<Answer> = () => Promise<Answer>;

/**
 * Contact with providers: a circuit breaker and a bulkhead for each connection, so that one that hangs or is down does
 * not affect the others; and a check of every answer against the port's contract. They are per connection and not per
 * provider, because most failures concern one account: its credentials, its limits, its broker or the network at its
 * site.
 */
@Injectable()
export class ProviderContact {
  private readonly log = new Logger(ProviderContact.name);
  private readonly breakers = new Map<string, CircuitBreaker<[Call<unknown>], unknown>>();

  /**
   * For calls that may take effect or wait for long.
   *
   * @param signal ends the wait; a missing answer counts as a failure.
   * @returns `unreachable`, without any contact, while the breaker is open or the bulkhead is full.
   */
  async through<Answer extends { outcome: string }>(
    { connection }: Account<object>,
    signal: AbortSignal,
    call: Call<Answer>,
  ): Promise<Answer | { outcome: 'unreachable' }> {
    const counted = async (): Promise<Answer> => {
      const answer = await call();
      const isDown = answer.outcome === 'unreachable' || (answer.outcome === 'unknown' && signal.aborted);
      if (isDown) throw new ProviderIsDown(answer);
      return answer;
    };
    try {
      return (await this.breakerOf(connection.id).fire(counted)) as Answer;
    } catch (error) {
      if (error instanceof ProviderIsDown) return error.answer as Answer;
      if (error instanceof Error && CircuitBreaker.isOurError(error)) return { outcome: 'unreachable' };
      throw error;
    }
  }

  /** @returns undefined if the adapter broke the port's contract, after which the outcome is unknown. */
  async checked<Answer extends CommandAnswer | CodeAnswer>(call: Call<Answer>): Promise<Answer | undefined> {
    try {
      const answer = await call();
      if (readCommandAnswer(answer)) return answer;
      this.log.error('The adapter of a device provider returned an invalid outcome');
    } catch (err) {
      this.log.error({ err }, 'The adapter of a device provider threw an error');
    }
    return undefined;
  }

  private breakerOf(connectionId: string): CircuitBreaker<[Call<unknown>], unknown> {
    let breaker = this.breakers.get(connectionId);
    if (!breaker) {
      breaker = new CircuitBreaker((call: Call<unknown>) => call(), {
        timeout: false,
        capacity: atOnce,
        volumeThreshold: failuresBeforeOpen,
        resetTimeout: openMs,
      });
      this.breakers.set(connectionId, breaker);
    }
    return breaker;
  }
}

class ProviderIsDown extends Error {
  constructor(readonly answer: { outcome: string }) {
    super(answer.outcome);
  }
}
