import { setTimeout as wait } from 'node:timers/promises';
import type { Attempt, Client } from '../client.js';

const writers = 3;
const pauseMs = 60;
const dayMs = 86_400_000;
const firstDay = Date.UTC(2031, 0, 1);
const dateOf = (day: number): string => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);

interface Kept {
  path: string;
  /** The last acknowledged value. */
  fields: Record<string, unknown>;
  /** A later write may have taken effect although it was not acknowledged. */
  isUncertain: boolean;
}

/** Clients of a hotel that send each request once, and remember what was acknowledged. */
export class Hotel {
  readonly kept: Kept[] = [];
  /** Requests by their results, such as `old and new: PATCH task 200`. */
  readonly outcomes = new Map<string, number>();
  /** The releases that run now. */
  phase = 'old';
  /** Tasks whose events must be delivered. */
  acknowledgedTasks = 0;
  private day = 0;
  private propertyId = '';
  private unitId = '';

  constructor(private readonly client: Client) {}

  async open(): Promise<void> {
    const property = await this.client.send('POST', '/properties', { name: 'Lake House', timezone: 'UTC' });
    this.propertyId = property.id as string;
    const unit = await this.client.send('POST', `/properties/${this.propertyId}/units`, { name: '1' });
    this.unitId = unit.id as string;
  }

  async work(signal: AbortSignal): Promise<void> {
    const repeated = async (turn: () => Promise<void>): Promise<void> => {
      for (; !signal.aborted; await wait(pauseMs)) await turn();
    };
    await Promise.all([
      ...Array.from({ length: writers }, () => repeated(() => this.doTask())),
      repeated(() => this.bookAndCancel()),
      repeated(() => this.bookAndCancel()),
      repeated(async () => void (await this.ask('GET', 'tasks', '/tasks?limit=20'))),
      repeated(async () => void (await this.ask('GET', 'reservations', '/reservations?limit=20'))),
      repeated(async () => void (await this.ask('GET', 'events', '/events?limit=20'))),
    ]);
  }

  /** @returns how many records differ from what was acknowledged. */
  async lost(client: Client): Promise<number> {
    let lost = 0;
    for (const { path, fields, isUncertain } of this.kept) {
      const found = await client.find(path);
      if (!found) lost += 1;
      else if (!isUncertain && Object.entries(fields).some(([name, value]) => found[name] !== value)) lost += 1;
    }
    return lost;
  }

  /** @returns how many nights of a stay can be sold again, whichever release booked it. */
  async soldTwice(client: Client): Promise<number> {
    let sold = 0;
    for (const { path, fields, isUncertain } of this.kept) {
      if (isUncertain || !path.startsWith('/reservations') || fields.status === 'cancelled') continue;
      const { propertyId, unitId, checkInDate, checkOutDate } = fields;
      const body = { propertyId, unitId, checkInDate, checkOutDate };
      if (await client.try('POST', '/reservations', body, ['RESERVATION_OVERLAP'])) sold += 1;
    }
    return sold;
  }

  private async doTask(): Promise<void> {
    const made = await this.ask('POST', 'task', '/tasks', { name: 'Linen', propertyId: this.propertyId });
    if (!made) return;
    this.acknowledgedTasks += 1;
    const path = `/tasks/${made.id as string}`;
    const kept = { path, fields: { name: 'Linen', priority: made.priority }, isUncertain: false };
    this.kept.push(kept);
    const changed = await this.ask('PATCH', 'task', path, { priority: 'high' });
    if (changed) kept.fields.priority = 'high';
    kept.isUncertain = !changed;
  }

  private async bookAndCancel(): Promise<void> {
    const day = (this.day += 1);
    const nights = { checkInDate: dateOf(day), checkOutDate: dateOf(day + 1) };
    const place = { propertyId: this.propertyId, unitId: this.unitId };
    const booked = await this.ask('POST', 'reservation', '/reservations', { ...place, ...nights });
    if (!booked) return;
    const path = `/reservations/${booked.id as string}`;
    const kept = { path, fields: { ...place, ...nights, status: booked.status }, isUncertain: false };
    this.kept.push(kept);
    if (day % 2 === 0) return;
    const cancelled = await this.ask('POST', 'cancellation', `${path}/cancel`, {});
    if (cancelled) kept.fields.status = 'cancelled';
    kept.isUncertain = !cancelled;
  }

  private async ask(
    method: string,
    what: string,
    path: string,
    body?: object,
  ): Promise<Record<string, unknown> | undefined> {
    const { phase } = this;
    const answer = await this.client.once(method, path, body);
    const name = `${phase}: ${method} ${what} ${nameOf(answer)}`;
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
    return isSuccess(answer) ? (JSON.parse(answer.text) as { data: Record<string, unknown> }).data : undefined;
  }
}

const isSuccess = ({ status = 0 }: Attempt): boolean => status >= 200 && status < 300;
const nameOf = (answer: Attempt): string => {
  if (isSuccess(answer)) return 'succeeded';
  if (answer.status === 503 && answer.retryAfter) return 'refused with 503 and Retry-After';
  return `FAILED ${answer.status ?? 'without an answer'} ${/"code":"(\w+)"/.exec(answer.text)?.[1] ?? ''}`.trim();
};
