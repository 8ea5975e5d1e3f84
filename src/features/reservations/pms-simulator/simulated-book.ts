import type { ImportedStay } from '../imports/imported-stay.js';

const dayMs = 86_400_000;

interface Entry {
  code: string;
  guest: string;
  /** Days after the first day of the book. */
  arrivesOn: number;
  nights: number;
}

const entries: readonly Entry[] = [
  { code: 'SIM-1001', guest: 'Ines Marques', arrivesOn: 7, nights: 3 },
  { code: 'SIM-1002', guest: 'Jonas Weber', arrivesOn: 14, nights: 4 },
  { code: 'SIM-1003', guest: 'Amina Diallo', arrivesOn: 28, nights: 2 },
];

/**
 * The stays of the simulated system: three at first; then the second moves by two days, then the third is cancelled.
 *
 * @param firstDay the day that the dates count from.
 * @param syncs how often the book was read before.
 */
export function bookOf(firstDay: string, propertyId: string, syncs: number): ImportedStay[] {
  const day = (offset: number): string => new Date(Date.parse(firstDay) + offset * dayMs).toISOString().slice(0, 10);
  return entries.map(({ code, guest, arrivesOn, nights }, index) => {
    const arrival = arrivesOn + (index === 1 && syncs > 0 ? 2 : 0);
    return {
      externalId: code,
      propertyId,
      unitId: null,
      checkInDate: day(arrival),
      checkOutDate: day(arrival + nights),
      arrivalTime: null,
      departureTime: null,
      status: index === 2 && syncs > 1 ? 'cancelled' : 'confirmed',
      channel: 'simulator',
      confirmationCode: code,
      guestName: guest,
      notes: null,
    };
  });
}
