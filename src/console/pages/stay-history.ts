import { DateTime } from 'luxon';
import type { ReservationView } from '../../features/reservations/reservation.dto.js';
import { getProperty } from '../../tenancy/properties/properties.operations.js';
import type { Visit } from '../frame/visit.js';

/** What has happened to a stay, and when. */
export async function historyOf(visit: Visit, stay: ReservationView): Promise<Readonly<Record<string, string>>> {
  const { propertyId, departedAt, cancelledAt, cancellationReason } = stay;
  return {
    ...(departedAt && { Left: await localTo(visit, propertyId, departedAt) }),
    ...(cancelledAt && { Cancelled: await localTo(visit, propertyId, cancelledAt) }),
    ...(cancellationReason && { 'Reason for the cancellation': cancellationReason }),
  };
}

/** A moment on the clock of a property; for people who may not see the property, on another one, which is named. */
async function localTo({ ask, may, membership }: Visit, propertyId: string, at: string): Promise<string> {
  const maySee = may('properties:read');
  const zone = maySee ? (await ask(getProperty, { propertyId })).timezone : membership.timezone;
  const local = DateTime.fromISO(at, { zone }).toFormat('yyyy-MM-dd, HH:mm');
  return maySee ? local : `${local} (${zone})`;
}
