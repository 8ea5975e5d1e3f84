import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../client.js';

const rooms = 40;
const dayMs = 86_400_000;
/** Advance bookings start on a day up to this far ahead. */
const bookedAheadDays = 300;

interface Lock {
  id: string;
  providerDeviceId: string;
}

/**
 * A hotel all day: guests arrive and leave by its clock, others book ahead and cancel, tasks are done, doors are
 * opened, people look at their boards, and an endpoint receives each change.
 */
export class HotelLoad {
  private propertyId = '';
  private readonly units: string[] = [];
  private readonly locks: Lock[] = [];
  private booked = 0;

  constructor(
    private readonly client: Client,
    private readonly endpointUrl: string,
  ) {}

  get requests(): number {
    return this.client.attempts.length;
  }

  /** Until it is stopped, at about twenty requests a second. */
  async run(signal: AbortSignal): Promise<void> {
    await this.found();
    const every = async (ms: number, work: () => Promise<unknown>): Promise<void> => {
      while (!signal.aborted) {
        await work();
        await wait(ms, undefined, { signal }).catch(() => undefined);
      }
    };
    const guests = this.guestsOfDays();
    await Promise.all([
      every(1_000, () => guests.next()),
      every(500, () => this.bookForLater()),
      every(300, () => this.doTask()),
      every(1_000, () => this.openDoors()),
      every(200, () => this.look()),
    ]);
  }

  private async found(): Promise<void> {
    const { client } = this;
    this.propertyId = (await client.send('POST', '/properties', { name: 'Harbour Hotel', timezone: 'UTC' }))
      .id as string;
    for (let room = 1; room <= rooms; room += 1) {
      const unit = await client.send('POST', `/properties/${this.propertyId}/units`, { name: String(room) });
      this.units.push(unit.id as string);
    }
    const simulated = { provider: 'simulator', kind: 'device', name: 'Doors', credentials: {}, settings: {} };
    const { id } = await client.send('POST', '/connections', simulated);
    const devices = await client.list<Lock>(`/devices?connectionId=${id}`);
    this.locks.push(...devices.filter(({ providerDeviceId }) => providerDeviceId.startsWith('sim-lock')));
    // The endpoints of the demo data lead nowhere: their waiting deliveries would dominate the figures.
    for (const endpoint of await client.list<{ id: string }>('/webhook-endpoints?sort=createdAt')) {
      await client.send('DELETE', `/webhook-endpoints/${endpoint.id}`, {});
    }
    await client.send('POST', '/webhook-endpoints', { url: this.endpointUrl, eventTypes: ['*'] });
  }

  /** One step at a time: on each day of the clock the previous guests leave, and every room gets one for a night. */
  private async *guestsOfDays(): AsyncGenerator<void, never> {
    let staying: string[] = [];
    for (let day = ''; ;) {
      const now = (await this.client.read('/clock')).now as string;
      if (day !== now.slice(0, 10)) {
        day = now.slice(0, 10);
        for (const id of staying) yield void (await this.client.send('POST', `/reservations/${id}/check-out`, {}));
        staying = [];
        for (const unitId of this.units) {
          const id = await this.book(unitId, Date.parse(day), 1);
          yield void (await this.client.send('POST', `/reservations/${id}/check-in`, {}));
          staying.push(id);
        }
      }
      yield;
    }
  }

  private async bookForLater(): Promise<void> {
    this.booked += 1;
    const unitId = this.units[this.booked % rooms] as string;
    const id = await this.book(unitId, Date.now() + (30 + (this.booked % bookedAheadDays)) * dayMs, 2);
    await this.client.send('POST', `/reservations/${id}/cancel`, {});
  }

  private async book(unitId: string, from: number, nights: number): Promise<string> {
    const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
    const dates = { checkInDate: dateOf(from), checkOutDate: dateOf(from + nights * dayMs) };
    const { id } = await this.client.send('POST', '/reservations', { propertyId: this.propertyId, unitId, ...dates });
    return id as string;
  }

  private async doTask(): Promise<void> {
    const { id } = await this.client.send('POST', '/tasks', { name: 'Bring towels', propertyId: this.propertyId });
    await this.client.send('PATCH', `/tasks/${id}`, { priority: 'high' });
    await this.client.send('POST', `/tasks/${id}/complete`, {});
  }

  private async openDoors(): Promise<void> {
    for (const { id } of this.locks) {
      await this.client.try('POST', `/devices/${id}/unlock`, {}, ['CONNECTOR_ERROR', 'DEVICE_BUSY']);
    }
  }

  private async look(): Promise<void> {
    await this.client.read(`/properties/${this.propertyId}/board`);
    await this.client.read('/tasks?limit=20');
  }
}
