import { Injectable, Logger } from '@nestjs/common';
import CircuitBreaker from 'opossum';
import type { Account } from '../../../outside/connections/connection-provider.js';
import { type CodeAnswer, type CommandAnswer, readCommandAnswer } from './device-answers.js';

/** A provider that hangs keeps so many of its callers waiting; the next ones are not let through. */
const atOnce = 16;
/** So many have to fail within ten seconds, and be half of all, before no more are let through for a moment. */
const failuresBeforeOpen = 5;
const openMs = 2_000;

type Call<Answer> = () => Promise<Answer>;

/**
 * Contact with providers: a circuit breaker and a bulkhead for each connection, so that one that hangs or is down costs
 * the others nothing; and the port's contract, to which every answer is held. A connection and not a provider, because
 * what fails is mostly one account's: its credentials, its limits, its broker or the line to its site.
 */
@Injectable()
export class ProviderContact {
  private readonly log = new Logger(ProviderContact.name);
  private readonly breakers = new Map<string, CircuitBreaker<[Call<unknown>], unknown>>();

  /**
   * Whatever may take effect, or wait for long.
   *
   * @param signal ends the waiting: no answer by then counts as a failure.
   * @returns `unreachable`, without any contact, while the breaker is open or the bulkhead is full.
   */
  async through<Answer extends { outcome: string }>(
    { connection }: Account<object>,
    signal: AbortSignal,
    call: Call<Answer>,
  ): Promise<Answer | { outcome: 'unreachable' }> {
    const told = async (): Promise<Answer> => {
      const answer = await call();
      const isDown = answer.outcome === 'unreachable' || (answer.outcome === 'unknown' && signal.aborted);
      if (isDown) throw new ProviderIsDown(answer);
      return answer;
    };
    try {
      return (await this.breakerOf(connection.id).fire(told)) as Answer;
    } catch (error) {
      if (error instanceof ProviderIsDown) return error.answer as Answer;
      if (error instanceof Error && CircuitBreaker.isOurError(error)) return { outcome: 'unreachable' };
      throw error;
    }
  }

  /** @returns undefined where the adapter broke the port's contract, after which nobody knows what happened. */
  async held<Answer extends CommandAnswer | CodeAnswer>(call: Call<Answer>): Promise<Answer | undefined> {
    try {
      const answer = await call();
      if (readCommandAnswer(answer)) return answer;
      this.log.error('An adapter answered what the port of device providers does not know');
    } catch (err) {
      this.log.error({ err }, 'An adapter of a device provider threw an error');
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
