import type { Client } from '../../client.js';
import { faultsAmong, type Load, type Verdict } from './load.js';
import { oneOf, type Random } from '../random.js';

const rooms = 3;
const bookers = 4;
const days = 60;
const firstDay = Date.UTC(2031, 0, 1);
const dayMs = 86_400_000;
const dateOf = (day: number): string => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);

interface Stay {
  unitId: string;
  from: number;
  until: number;
  isCancelled: boolean;
}

/** Clients book and cancel random nights of few rooms. No night of a room may be acknowledged to two stays. */
export class Nights implements Load {
  readonly name = 'nights';
  private readonly stays = new Map<string, Stay>();
  private rejected = 0;
  private propertyId = '';
  private readonly units: string[] = [];

  constructor(private readonly random: Random) {}

  async prepare(client: Client): Promise<void> {
    const { id: propertyId } = await client.send('POST', '/properties', { name: 'Small Hotel', timezone: 'UTC' });
    for (let room = 1; room <= rooms; room += 1) {
      const unit = await client.send('POST', `/properties/${propertyId}/units`, { name: String(room) });
      this.units.push(unit.id as string);
    }
    this.propertyId = propertyId as string;
  }

  async run(client: Client, signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: bookers }, () => this.book(client, signal)));
  }

  async judge(client: Client): Promise<Verdict> {
    const counts = { 'nights sold twice': 0, 'stays lost': 0, 'cancellations lost': 0 };
    const taken = new Set<string>();
    for (const [id, stay] of this.stays) {
      const found = await client.find(`/reservations/${id}`);
      if (!found) counts['stays lost'] += 1;
      else if ((found.status === 'cancelled') !== stay.isCancelled) counts['cancellations lost'] += 1;
      if (stay.isCancelled) continue;
      for (let night = stay.from; night < stay.until; night += 1) {
        const key = `${stay.unitId} ${night}`;
        if (taken.has(key)) counts['nights sold twice'] += 1;
        taken.add(key);
      }
    }
    return {
      figures: { stays: this.stays.size, rejected: this.rejected, nights: taken.size },
      faults: faultsAmong(counts),
    };
  }

  private async book(client: Client, signal: AbortSignal): Promise<void> {
    const own: string[] = [];
    while (!signal.aborted) {
      if (own.length > 0 && this.random() < 0.5) {
        const [id] = own.splice(Math.floor(this.random() * own.length), 1) as [string];
        await client.send('POST', `/reservations/${id}/cancel`, {});
        (this.stays.get(id) as Stay).isCancelled = true;
        continue;
      }
      const from = Math.floor(this.random() * days);
      const stay = { unitId: oneOf(this.random, this.units), from, until: from + 1 + Math.floor(this.random() * 4) };
      const id = await this.bookOnce(client, stay);
      if (id) own.push(id);
    }
  }

  private async bookOnce(client: Client, stay: Omit<Stay, 'isCancelled'>): Promise<string | undefined> {
    const { unitId, from, until } = stay;
    const body = { propertyId: this.propertyId, unitId, checkInDate: dateOf(from), checkOutDate: dateOf(until) };
    const booked = await client.try('POST', '/reservations', body, ['RESERVATION_OVERLAP']);
    if (!booked) {
      this.rejected += 1;
      return undefined;
    }
    this.stays.set(booked.id as string, { ...stay, isCancelled: false });
    return booked.id;
  }
}
