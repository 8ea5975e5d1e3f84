/** The state of a stay after booking. */
export type DemoEnd = 'left' | 'no_show' | 'staying' | 'to_come' | 'cancelled' | 'declined' | 'expired' | 'open';

/** A stay of the demo, in days from today. */
export interface DemoStay {
  arrivesIn: number;
  leavesIn: number;
  status: 'inquiry' | 'pending' | 'confirmed';
  end: DemoEnd;
}

const firstDay = -16;
const lastDay = 16;
const nights = [3, 5, 2, 4, 7, 3];
const gaps = [1, 0, 3, 2];

/** Confirmed stays of one place over the month around today, one after the other; places start on different days. */
export function monthOf(place: number): DemoStay[] {
  const stays: DemoStay[] = [];
  let arrivesIn = firstDay + (place % 4);
  for (let index = place; arrivesIn < lastDay; index += 1) {
    const leavesIn = arrivesIn + at(nights, index);
    stays.push({ arrivesIn, leavesIn, status: 'confirmed', end: endOf(arrivesIn, leavesIn, index) });
    arrivesIn = leavesIn + at(gaps, index);
  }
  return stays;
}

/** Guests who came yesterday or earlier have checked in; every seventh past stay is a no-show. */
function endOf(arrivesIn: number, leavesIn: number, index: number): DemoEnd {
  if (leavesIn <= 0) return index % 7 === 2 ? 'no_show' : 'left';
  return arrivesIn < 0 ? 'staying' : 'to_come';
}

/** Requests that occupy no nights: unanswered or declined. */
export const requests: readonly DemoStay[] = [
  { arrivesIn: 20, leavesIn: 24, status: 'confirmed', end: 'cancelled' },
  { arrivesIn: 5, leavesIn: 8, status: 'inquiry', end: 'open' },
  { arrivesIn: 9, leavesIn: 12, status: 'pending', end: 'open' },
  { arrivesIn: 6, leavesIn: 7, status: 'inquiry', end: 'declined' },
  { arrivesIn: 2, leavesIn: 4, status: 'pending', end: 'expired' },
];

/** The date this many days from today. */
export const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

const firstNames = ['Ana', 'Ben', 'Chloé', 'Dario', 'Elif', 'Finn', 'Grace', 'Hugo', 'Ines', 'Jonas', 'Kaya'];
const lastNames = ['Almeida', 'Berg', 'Costa', 'Dubois', 'Eriksen', 'Fischer', 'Garcia'];

/** Different for the first 77. */
export const guestName = (index: number): string => `${at(firstNames, index)} ${at(lastNames, index)}`;

export const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
