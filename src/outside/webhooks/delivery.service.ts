import { Injectable } from '@nestjs/common';
import type { Claim } from '#jobs';
import { type OutboundAnswer, OutboundError, type Visit } from '#outbound';
import { type BatchLoader, TenantDatabase } from '#persistence';
import { Keyring } from '#secrets';
import { Metrics } from '../../platform/metrics/metrics.js';
import { EventsService } from '../../platform/events/events.service.js';
import { attempts, type Health, healthAfter, type Outcome, outcomeOf } from './delivery-rules.js';
import { type DeliveryResult, DispatchRepository, type Finished, type NextDelivery } from './dispatch.repository.js';
import { deliveryBody, headersOf } from './signature.js';
import { secretContext, type WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import { endpointDegraded, endpointDisabled, endpointRecovered, endpointUpdated } from './webhooks.events.js';

const shownCharacters = 2_000;

/** One attempt: the request and the consequences of its response. No transaction is open during the request. */
@Injectable()
export class DeliveryService {
  constructor(
    private readonly keyring: Keyring,
    private readonly dispatch: DispatchRepository,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly database: TenantDatabase,
    private readonly events: EventsService,
    private readonly metrics: Metrics,
  ) {}

  /**
   * @param finishes records outcomes that affect nothing but the delivery.
   * @returns whether the receiver accepted it.
   */
  async attempt(
    claim: Claim,
    delivery: NextDelivery,
    visit: Visit,
    finishes: BatchLoader<Finished, boolean>,
  ): Promise<boolean> {
    const startedAt = Date.now();
    const { headers, body } = this.messageOf(claim, delivery, startedAt);
    const answer = await this.send(visit, headers, body);
    const finishedAt = Date.now();
    const status = answer instanceof OutboundError ? undefined : answer.status;
    const outcome = outcomeOf(status);
    this.metrics.count('webhookAttempts', [outcome]);
    const restMs = outcome === 'failed' ? attempts.restAfter(delivery.attemptCount + 1) : undefined;
    const { 'webhook-signature': _signature, ...shown } = headers;
    const result: DeliveryResult = {
      status: restMs !== undefined ? 'pending' : outcome === 'succeeded' ? 'succeeded' : 'failed',
      dueAt: new Date(finishedAt + (restMs ?? 0)).toISOString(),
      attempt: {
        at: new Date(startedAt).toISOString(),
        durationMs: Math.max(0, finishedAt - startedAt),
        ...(answer instanceof OutboundError ? { error: `${answer.failure}: ${answer.message}` } : { status }),
      },
      request: { url: delivery.url, headers: shown },
      response: answer instanceof OutboundError ? null : { status: answer.status, body: readable(answer.body) },
    };
    if (outcome === 'succeeded' && delivery.failingSince === null) await finishes.load({ delivery, result });
    else await this.recordWithHealth(claim, delivery, outcome, result);
    return outcome === 'succeeded';
  }

  private messageOf({ id: endpointId }: Claim, delivery: NextDelivery, now: number) {
    const { event, secret, previousSecret, previousSecretUntil } = delivery;
    const isBoth = previousSecret && previousSecretUntil && Date.parse(previousSecretUntil) > now;
    const secrets = [secret, ...(isBoth ? [previousSecret] : [])].map((sealed) =>
      this.keyring.open(sealed, secretContext(endpointId)),
    );
    const message = { id: event.id, timestamp: Math.floor(now / 1_000), body: deliveryBody(event) };
    return { headers: headersOf(message, secrets), body: message.body };
  }

  private async send(
    visit: Visit,
    headers: Record<string, string>,
    body: string,
  ): Promise<OutboundAnswer | OutboundError> {
    try {
      return await visit.fetch({ method: 'POST', headers, body });
    } catch (error) {
      if (error instanceof OutboundError) return error;
      throw error;
    }
  }

  /** The outcome affects the endpoint: both are written together. */
  private async recordWithHealth(
    claim: Claim,
    delivery: NextDelivery,
    outcome: Outcome,
    result: DeliveryResult,
  ): Promise<void> {
    await this.database.transaction(claim.orgId, async () => {
      const endpoint = await this.endpoints.findAnyForChange(claim.orgId, claim.id);
      if (!endpoint) return;
      const [isRecorded] = await this.dispatch.finish(claim, [{ delivery, result }]);
      if (!isRecorded) return;
      const health = healthAfter(healthOf(endpoint), outcome, Date.now());
      if (health.status === endpoint.health) await this.dispatch.noteFailingSince(claim, health.failingSince);
      else {
        const changes = { health: health.status, failingSince: health.failingSince };
        const before = await this.endpoints.update(endpoint, changes);
        const isLessWell = health.status === 'enabled' && endpoint.status !== 'enabled';
        const happened = isLessWell ? endpointUpdated : changeTo[health.status];
        this.events.record({ orgId: claim.orgId }, happened, endpoint, before);
      }
      if (result.status === 'pending') await this.dispatch.park(claim, { ...delivery, dueAt: result.dueAt });
    });
  }
}

const healthOf = ({ health, failingSince }: WebhookEndpoint): Health => ({ status: health, failingSince });

const changeTo: Record<Health['status'], typeof endpointDisabled> = {
  enabled: endpointRecovered,
  degraded: endpointDegraded,
  disabled: endpointDisabled,
};

/** Postgres cannot store NUL in text. */
const readable = (body: Buffer): string =>
  body.toString('utf8').replaceAll('\0', '\ufffd').slice(0, shownCharacters).toWellFormed();
