import { getDay } from '../../features/boards/boards.operations.js';
import type { DayView, GetDay } from '../../features/boards/day.dto.js';
import type { Ask } from '../frame/visit.js';

const mostPages = 10;
const ofPage = 100;

/** The stays of a day, up to a thousand of them, from a cursor on. */
export async function wholeDay(
  ask: Ask,
  input: GetDay,
): Promise<{ day: DayView; /** Where the others begin. */ nextCursor: string | null }> {
  const pages = [await ask(getDay, { ...input, limit: ofPage })];
  for (let next = pages[0]?.nextCursor; next && pages.length < mostPages; next = pages.at(-1)?.nextCursor)
    pages.push(await ask(getDay, { ...input, limit: ofPage, cursor: next }));
  const days = pages.map(({ record }) => record);
  return {
    day: {
      ...(days[0] as DayView),
      arrivals: days.flatMap(({ arrivals }) => arrivals),
      departures: days.flatMap(({ departures }) => departures),
      inHouse: days.flatMap(({ inHouse }) => inHouse),
    },
    nextCursor: pages.at(-1)?.nextCursor ?? null,
  };
}
