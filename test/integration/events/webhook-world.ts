import { Webhook } from 'standardwebhooks';
import type { Api, Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { keyWith } from '../../support/factories.js';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.js';
import { type Service, startApp } from '../../support/start-app.js';

/** A service that sends webhooks to loopback, and the receivers and endpoints of one test. */
export class WebhookWorld {
  private receivers: Receiver[] = [];

  private constructor(
    readonly service: Service,
    readonly api: Api,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<WebhookWorld> {
    const service = await startApp({ OUTBOUND_ALLOW: '127.0.0.0/8', ...env });
    return new WebhookWorld(service, (await keyWith(service.api)).api);
  }

  async reset(): Promise<void> {
    clock.restore();
    for (const { id } of await this.endpoints()) await this.api.delete(`/webhook-endpoints/${id}`);
    await Promise.all(this.receivers.map((receiver) => receiver.close()));
    this.receivers = [];
  }

  async receiving(): Promise<Receiver> {
    const receiver = await startReceiver();
    this.receivers.push(receiver);
    return receiver;
  }

  async endpointFor({ url }: Pick<Receiver, 'url'>, wishes: object = {}, by = this.api): Promise<Json> {
    const { status, body } = await by.post('/webhook-endpoints', { url, eventTypes: ['*'], ...wishes });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.data;
  }

  async endpointNow(endpointId: string): Promise<Json> {
    return (await this.endpoints()).find(({ id }) => id === endpointId) as Json;
  }

  async deliveriesOf(endpointId: string): Promise<Json[]> {
    return (await this.api.get(`/webhook-deliveries?limit=100&endpointId=${endpointId}`)).body.data;
  }

  async attemptsOf(endpointId: string): Promise<number> {
    return (await this.deliveriesOf(endpointId))[0]?.attempts.length;
  }

  /** Advances to the time of the next attempt, and a little more for its jitter. */
  async passTheDelay(endpointId: string): Promise<void> {
    const [{ nextAttemptAt }] = (await this.deliveriesOf(endpointId)) as [Json];
    clock.set(Date.parse(nextAttemptAt as string) + 1_000);
  }

  private async endpoints(): Promise<Json[]> {
    return (await this.api.get('/webhook-endpoints?limit=100')).body.data;
  }
}

/** As the library of standardwebhooks.com sees it. */
export function isSignedWith(secret: string, { headers, text }: Received): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
