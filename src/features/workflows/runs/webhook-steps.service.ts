import { Injectable } from '@nestjs/common';
import { Outbound, OutboundError } from '#outbound';
import { Keyring } from '#secrets';
import { headersOf } from '../../../outside/webhooks/signature.js';
import { done, failedWith, type StepOutcome } from './step-outcome.js';

/** The content of a webhook step. */
export interface WebhookCall {
  orgId: string;
  workflowId: string;
  /** The same for every attempt, so that receivers can recognize duplicates. */
  id: string;
  url: string;
  data: object;
}

/** Steps that send to an address, signed like the deliveries of webhook endpoints (Standard Webhooks). */
@Injectable()
export class WebhookSteps {
  constructor(
    private readonly outbound: Outbound,
    private readonly keyring: Keyring,
  ) {}

  /** The secret of one workflow, the same for all its versions. */
  secretOf(orgId: string, workflowId: string): string {
    return `whsec_${this.keyring.derive(`workflow ${orgId} ${workflowId}`).export().toString('base64')}`;
  }

  async send({ orgId, workflowId, id, url, data }: WebhookCall): Promise<StepOutcome> {
    const timestamp = Math.floor(Date.now() / 1_000);
    const body = JSON.stringify({ type: 'workflow.webhook', timestamp: new Date().toISOString(), data });
    const headers = headersOf({ id, timestamp, body }, [this.secretOf(orgId, workflowId)]);
    try {
      const { status } = await this.outbound.fetch(url, { method: 'POST', headers, body });
      if (status >= 200 && status < 300) return done({ status });
      const isPassing = status >= 500 || status === 408 || status === 429;
      return failedWith('CONNECTOR_ERROR', `The address returned ${status}.`, isPassing);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return failedWith('CONNECTOR_ERROR', `${error.failure}: ${error.message}`, error.failure !== 'refused');
    }
  }
}
