/** When the hours of a day use `r` end: as booked, or when its guests left before; the rest is free then. */
export const hoursEndOf = (r: string): string => `least(${r}.departure_at, ${r}.departed_at)`;
