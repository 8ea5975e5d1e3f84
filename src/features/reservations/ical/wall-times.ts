import ICAL from 'ical.js';
import { IANAZone } from 'luxon';

/**
 * The time zone of a calendar's wall clock. All numbers are milliseconds; local times are written as if they were UTC.
 */
export interface Zone {
  toInstant(local: number): number;
  toLocal(instant: number): number;
}

/** Offsets such as +01:00 are not names. */
const isNamed = (tzid: string): boolean => /^[A-Za-z]/.test(tzid) && IANAZone.isValidZone(tzid);

/** A wall clock time and its zone; a whole day has no time of day, and is the same everywhere. */
export interface WallTime {
  local: number;
  isDate: boolean;
  zone: Zone;
}

export const dayMs = 86_400_000;

/** A zone that the runtime knows, such as `Europe/Lisbon`. Times that the clocks skip count from before the change. */
export function namedZone(name: string): Zone {
  const zone = IANAZone.create(name);
  const offsetAt = (instant: number): number => zone.offset(instant) * 60_000;
  return {
    toLocal: (instant) => instant + offsetAt(instant),
    toInstant: (local) => {
      const first = local - offsetAt(local);
      const second = local - offsetAt(first);
      const isSkipped = second + offsetAt(second) !== local;
      return isSkipped ? local - Math.min(offsetAt(first), offsetAt(second)) : second;
    },
  };
}

const utc: Zone = { toInstant: (local) => local, toLocal: (instant) => instant };

/** A zone that the file defines (VTIMEZONE), for names that only its writer knows. */
function definedZone(timezone: ICAL.Timezone): Zone {
  const timeOf = (ms: number, zone: ICAL.Timezone): ICAL.Time => {
    const time = ICAL.Time.fromJSDate(new Date(ms), true);
    time.zone = zone;
    return time;
  };
  return {
    toInstant: (local) => timeOf(local, timezone).toUnixTime() * 1_000,
    toLocal: (instant) => localOf(timeOf(instant, ICAL.Timezone.utcTimezone).convertToZone(timezone)),
  };
}

const localOf = ({ year, month, day, hour, minute, second }: ICAL.Time): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);

/** Reads the times of one file; what names no zone is local to the property (RFC 5545, section 3.3.5). */
export class WallTimes {
  private readonly zones = new Map<string, Zone>();

  constructor(readonly property: Zone) {}

  /** @throws Error if the value is not a time. */
  read(property: ICAL.Property, value: unknown = property.getFirstValue()): WallTime {
    if (!(value instanceof ICAL.Time)) throw new Error('The value is not a time');
    const local = localOf(value);
    if (!Number.isFinite(local)) throw new Error('The value is not a time');
    if (value.isDate) return { local: local - (local % dayMs), isDate: true, zone: this.property };
    return { local, isDate: false, zone: this.zoneOf(property, value) };
  }

  /** The wall clock time of another place at that moment. */
  seenFrom(zone: Zone, time: WallTime): number {
    return time.isDate || time.zone === zone ? time.local : zone.toLocal(time.zone.toInstant(time.local));
  }

  private zoneOf(property: ICAL.Property, { zone }: ICAL.Time): Zone {
    if (zone === ICAL.Timezone.utcTimezone) return utc;
    const tzid = property.getFirstParameter('tzid');
    if (!tzid) return this.property;
    const known = this.zones.get(tzid) ?? (isNamed(tzid) ? namedZone(tzid) : this.defined(zone));
    this.zones.set(tzid, known);
    return known;
  }

  private defined(zone: ICAL.Timezone | null): Zone {
    return zone && zone !== ICAL.Timezone.localTimezone ? definedZone(zone) : this.property;
  }
}
