import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Delivery {
  text: string;
  /** How often it was answered with success. */
  accepted: number;
}

interface Event {
  id: string;
  sequence: number;
  subject: { id: string };
}

/** Receives deliveries on the loopback interface, fails some, and remembers them. */
export class Receiver {
  /** By the id of the event. */
  readonly deliveries = new Map<string, Delivery>();
  requests = 0;
  /** Ids with another body than before, or with the content of another id. */
  unstable = 0;
  /** Events that were first delivered after a later one had been accepted, or before an earlier one had been. */
  misordered = 0;
  private readonly accepted = new Map<string, number>();
  private readonly idOf = new Map<string, string>();

  private constructor(private readonly server: Server) {}

  /** @param failsEach every so many requests are answered with 500 once. */
  static async start(failsEach = 3): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const isAccepted = (receiver.requests += 1) % failsEach !== 0;
        receiver.note(String(request.headers['webhook-id']), Buffer.concat(chunks).toString(), isAccepted);
        response.writeHead(isAccepted ? 204 : 500).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  get delivered(): number {
    return [...this.deliveries.values()].filter(({ accepted }) => accepted > 0).length;
  }

  /** Delivered more than once, which is allowed: the process ended before it could record the delivery. */
  get repeated(): number {
    return [...this.deliveries.values()].filter(({ accepted }) => accepted > 1).length;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private note(id: string, text: string, isAccepted: boolean): void {
    const { data: event } = JSON.parse(text) as { data: Event };
    const place = `${event.subject.id} ${event.sequence}`;
    const known = this.deliveries.get(id);
    if ((known && known.text !== text) || event.id !== id || (this.idOf.get(place) ?? id) !== id) this.unstable += 1;
    if (!known?.accepted && (this.accepted.get(event.subject.id) ?? 0) !== event.sequence - 1) this.misordered += 1;
    this.idOf.set(place, id);
    this.deliveries.set(id, { text, accepted: (known?.accepted ?? 0) + (isAccepted ? 1 : 0) });
    if (isAccepted && !known?.accepted) this.accepted.set(event.subject.id, event.sequence);
  }
}
