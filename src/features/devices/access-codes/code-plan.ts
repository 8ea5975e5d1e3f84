import type { Stay } from '../../../tenancy/stays/stays.repository.js';
import type { Device } from '../device.entity.js';
import type { CreateAccessCode } from '../../../devices/access-codes/access-code.dto.js';
import { type AccessCode, isLive } from './access-code.entity.js';
import { endMissing, endNotAllowed, endsTooEarly, timesBesideStay } from './access-codes.errors.js';

/** Set so long before it begins to work, so that a lock that is out of reach for hours has it in time. */
const aheadMs = 24 * 60 * 60_000;
/** A code that is about to be removed still takes its place; as long as it cannot be removed, always. */
const removalMs = 60 * 60_000;

const now = (): string => new Date().toISOString();
const longAgo = -Infinity;

type Times = Pick<CreateAccessCode, 'startsAt' | 'endsAt'>;
type Planned = Pick<AccessCode, 'type' | 'startsAt' | 'endsAt' | 'reservationId'>;

/** The times of a code by itself. @throws validation_error where they do not go with its type. */
export function checkTimes({ type, startsAt, endsAt, reservationId }: Planned): void {
  if (type === 'ongoing' && (endsAt || reservationId)) throw endNotAllowed();
  if (type === 'time_bound' && !endsAt) throw endMissing();
  if (endsAt && (endsAt <= now() || (startsAt && endsAt <= startsAt))) throw endsTooEarly();
}

/** @throws validation_error where times are given to a code that has those of its stay. */
export function refuseTimesBeside(reservationId: string | null | undefined, given: Times): void {
  if (reservationId && (given.startsAt !== undefined || given.endsAt !== undefined)) throw timesBesideStay();
}

/** Whether a stay that is so needs no code: it is called off, or over, be it before its time. */
export const isOff = ({ status, stayStatus }: Stay): boolean =>
  ['cancelled', 'declined', 'expired'].includes(status) || ['checked_out', 'no_show'].includes(stayStatus);

/** Whether a stay is where a device is: one without a unit takes all of them, and all go past a device that is in none. */
export const isAt = (stay: Stay, { propertyId, unitId }: Pick<Device, 'propertyId' | 'unitId'>): boolean =>
  stay.propertyId === propertyId && (unitId === null || stay.unitId === null || stay.unitId === unitId);

export const timesOf = ({ arrivalAt, departureAt }: Stay): Times =>
  instants({ startsAt: arrivalAt, endsAt: departureAt });

/** Times as they are kept, so that they compare as text. */
export const instants = ({ startsAt, endsAt }: Times): Times => ({
  ...(startsAt !== undefined && { startsAt: new Date(startsAt).toISOString() }),
  ...(endsAt !== undefined && { endsAt: new Date(endsAt).toISOString() }),
});

/** When it is to be set: never before now, since a day ahead of the first that there is cannot be written. */
export const setAt = ({ startsAt }: Pick<AccessCode, 'startsAt'>): string =>
  new Date(Math.max(Date.now(), startsAt ? Date.parse(startsAt) - aheadMs : 0)).toISOString();

/** What changes in a live code with what it is to be: what the device has of it is brought in step at once. */
export function replanned(code: AccessCode, changes: Partial<AccessCode>): Partial<AccessCode> {
  if (code.status === 'scheduled') return { ...changes, dueAt: setAt({ ...code, ...changes }) };
  const renewed = code.renewed || changes.sealed !== undefined;
  return { ...changes, renewed, status: 'setting', failures: 0, dueAt: now() };
}

/** What becomes of a code that is to be no more, for a reason or because somebody wants it so. */
export function ended(code: AccessCode, failedBecause: AccessCode['failedBecause'] = null): Partial<AccessCode> {
  if (code.status !== 'scheduled') return { status: 'removing', failedBecause, failures: 0, dueAt: now() };
  return { status: failedBecause ? 'failed' : 'removed', failedBecause, dueAt: null };
}

/** While it takes a place at its device, in milliseconds since 1970. */
interface Span {
  from: number;
  until: number;
}

function spanOf(code: AccessCode): Span {
  if (code.status === 'removing') return { from: longAgo, until: Date.now() + removalMs };
  return {
    from: code.status === 'scheduled' ? Date.parse(setAt(code)) : longAgo,
    until: code.endsAt ? Date.parse(code.endsAt) : Infinity,
  };
}

const overlap = (one: Span, other: Span): boolean => one.from < other.until && other.from < one.until;

/** The other codes that are at the device at any time that this one is. */
export function beside(code: AccessCode, codes: readonly AccessCode[]): AccessCode[] {
  const span = spanOf(code);
  return codes.filter((other) => other.id !== code.id && isLive(other) && overlap(span, spanOf(other)));
}

/** Whether the device has a place for it as long as it is there, beside those that are there at the same time. */
export function hasPlace({ limits }: Device, code: AccessCode, others: readonly AccessCode[]): boolean {
  if (limits.codeSlots === null) return true;
  const spans = others.map(spanOf);
  const own = spanOf(code);
  const moments = [own.from, ...spans.map(({ from }) => Math.max(from, own.from))];
  const most = Math.max(...moments.map((at) => spans.filter(({ from, until }) => from <= at && at < until).length));
  return most < limits.codeSlots;
}
