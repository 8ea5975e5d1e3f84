import type { StayMoment, TimeRule } from '../../tenancy/properties/work.dto.js';
import type { Neighbours } from '../../tenancy/stays/neighbours.repository.js';
import type { Stay } from '../../tenancy/stays/stay.js';

const minuteMs = 60_000;

/** When a task can start and is due by its rule; null if its stay has no such neighbour. */
export function timesOf(
  rule: TimeRule,
  stay: Stay,
  neighbours: Neighbours,
): { canStartAt: string | null; dueAt: string | null } {
  const canStartAt = momentOf(rule.start, stay, neighbours);
  const dueAt = momentOf(rule.end, stay, neighbours);
  // Stays that move may leave less time than the rule assumes: the task is then due immediately, but never before it
  // can start.
  return { canStartAt, dueAt: canStartAt && dueAt && dueAt < canStartAt ? canStartAt : dueAt };
}

function momentOf({ event, offsetMinutes }: StayMoment, stay: Stay, neighbours: Neighbours): string | null {
  const moments = {
    arrival: stay.arrivalAt,
    departure: stay.departedAt ?? stay.departureAt,
    previous_departure: neighbours.previousDeparture,
    next_arrival: neighbours.nextArrival,
  };
  const moment = moments[event];
  return moment && new Date(Date.parse(moment) + offsetMinutes * minuteMs).toISOString();
}

/** Whether a rule looks at the stays before or after. */
export const looksAround = ({ start, end }: TimeRule): boolean =>
  [start.event, end.event].some((event) => event === 'previous_departure' || event === 'next_arrival');
