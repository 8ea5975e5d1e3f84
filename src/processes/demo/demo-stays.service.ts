import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Reservation } from '../../features/reservations/reservation.entity.js';
import { ReservationsService } from '../../features/reservations/reservations.service.js';
import { StayStates } from '../../features/reservations/stay-states.service.js';
import { TasksService } from '../../features/tasks/tasks.service.js';
import type { Property } from '../../tenancy/properties/property.entity.js';
import { at, day, type DemoStay, guestName, monthOf, requests } from './demo-stays.js';

const channels = ['direct', 'airbnb', 'booking.com'];

export interface Place {
  property: Property;
  unitId: string | null;
}

/** The stays of the demo, with their work as far as it would be done. */
@Injectable()
export class DemoStays {
  constructor(
    private readonly reservations: ReservationsService,
    private readonly states: StayStates,
    private readonly tasks: TasksService,
  ) {}

  async add(caller: Caller, places: readonly Place[]): Promise<number> {
    const planned = [
      ...places.flatMap((place, index) => monthOf(index).map((stay) => ({ place, stay }))),
      ...requests.map((stay, index) => ({ place: at(places, index), stay })),
    ];
    for (const [index, { place, stay }] of planned.entries()) await this.addStay(caller, place, stay, index);
    return planned.length;
  }

  private async addStay(caller: Caller, { property, unitId }: Place, stay: DemoStay, index: number): Promise<void> {
    const booked = await this.reservations.create(caller, {
      propertyId: property.id,
      unitId,
      checkInDate: day(stay.arrivesIn),
      checkOutDate: day(stay.leavesIn),
      status: stay.status,
      primaryGuest: { name: guestName(index), email: `guest-${index + 1}@example.com` },
      guestCounts: { adults: 1 + (index % 2), children: index % 3 === 0 ? 1 : 0 },
      channel: at(channels, index),
      confirmationCode: `DEMO-${1001 + index}`,
      total: { amountMinor: (stay.leavesIn - stay.arrivesIn) * (9_000 + (index % 5) * 1_500), currency: 'EUR' },
    });
    await this.endStay(caller, booked, stay);
  }

  private async endStay(caller: Caller, booked: Reservation, { end }: DemoStay): Promise<Reservation | undefined> {
    const reservationId = booked.id;
    switch (end) {
      case 'no_show':
        return await this.states.markNoShow(caller, { reservationId });
      case 'cancelled':
        return await this.states.cancel(caller, { reservationId, reason: 'The guests’ plans changed.' });
      case 'declined':
      case 'expired':
        return await this.reservations.update(caller, { reservationId, status: end });
      case 'staying':
      case 'left': {
        await this.states.checkIn(caller, { reservationId, early: true });
        await this.finishWork(caller, reservationId, end === 'left');
        if (end === 'staying') return undefined;
        const departedAt = new Date(Math.min(Date.parse(booked.departureAt), Date.now())).toISOString();
        return await this.states.checkOut(caller, { reservationId, departedAt });
      }
      case 'to_come':
      case 'open':
        return undefined;
    }
  }

  /** Completes the tasks of a stay: all of them, or those that were due when the guests came. */
  private async finishWork(caller: Caller, reservationId: string, isOver: boolean): Promise<void> {
    const { items } = await this.tasks.list(caller, { reservationId });
    for (const { id: taskId, type, checklist } of items) {
      if (!isOver && type !== 'check_in') continue;
      if (checklist.length > 0) {
        const done = checklist.map((item) => ({ ...item, done: true }));
        await this.tasks.update(caller, { taskId, checklist: done });
      }
      await this.tasks.move(caller, taskId, 'complete');
    }
  }
}
