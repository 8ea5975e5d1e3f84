import { calledOff, type Stay } from '../../../tenancy/stays/stay.js';
import type { Device } from '../device.entity.js';
import type { CreateAccessCode } from './access-code.dto.js';
import { AccessCode, isLive } from './access-code.entity.js';
import { endMissing, endNotAllowed, endsTooEarly, timesBesideStay } from './access-codes.errors.js';

/** How long before its start a code is set, so that a lock that is unreachable for hours receives it in time. */
const aheadMs = 24 * 60 * 60_000;
/** A code that is about to be removed still takes its place; as long as it cannot be removed, always. */
const removalMs = 60 * 60_000;

const now = (): string => new Date().toISOString();
const longAgo = -Infinity;

type Times = Pick<CreateAccessCode, 'startsAt' | 'endsAt'>;
type Planned = Pick<AccessCode, 'type' | 'startsAt' | 'endsAt' | 'reservationId'>;

/**
 * Checks only the times of a code.
 *
 * @throws validation_error if they do not match its type.
 */
export function checkTimes({ type, startsAt, endsAt, reservationId }: Planned): void {
  if (type === 'ongoing' && (endsAt || reservationId)) throw endNotAllowed();
  if (type === 'time_bound' && !endsAt) throw endMissing();
  if (endsAt && (endsAt <= now() || (startsAt && endsAt <= startsAt))) throw endsTooEarly();
}

/** @throws validation_error where times are given to a code that has those of its stay. */
export function refuseTimesBeside(reservationId: string | null | undefined, given: Times): void {
  if (reservationId && (given.startsAt !== undefined || given.endsAt !== undefined)) throw timesBesideStay();
}

/** Whether a stay in this state needs no code: it is cancelled or over, even before its time. */
export const isOff = ({ status, stayStatus }: Stay): boolean =>
  calledOff.includes(status) || ['checked_out', 'no_show'].includes(stayStatus);

/**
 * Whether a stay is at a device's place: a stay of a whole property occupies all units, and every stay uses a device that
 * is in no unit.
 */
export const isAt = (stay: Stay, { propertyId, unitId }: Pick<Device, 'propertyId' | 'unitId'>): boolean =>
  stay.propertyId === propertyId && (unitId === null || stay.unitId === unitId || !(stay.unitId ?? stay.unitTypeId));

export const timesOf = ({ arrivalAt, departureAt }: Stay): Times =>
  instants({ startsAt: arrivalAt, endsAt: departureAt });

/** Times as they are stored, so that they compare as text. */
export const instants = ({ startsAt, endsAt }: Times): Times => ({
  ...(startsAt !== undefined && { startsAt: new Date(startsAt).toISOString() }),
  ...(endsAt !== undefined && { endsAt: new Date(endsAt).toISOString() }),
});

/** When to set it: never before now, because a day before the earliest date cannot be written. */
export const setAt = ({ startsAt }: Pick<AccessCode, 'startsAt'>): string =>
  new Date(Math.max(Date.now(), startsAt ? Date.parse(startsAt) - aheadMs : 0)).toISOString();

/** The changes of a live code for its new wanted state; a code that is on the device is updated there immediately. */
export function replanned(code: AccessCode, changes: Partial<AccessCode>): Partial<AccessCode> {
  if (code.status === 'scheduled') return { ...changes, dueAt: setAt({ ...code, ...changes }) };
  const renewed = code.renewed || changes.sealed !== undefined;
  return { ...changes, renewed, status: 'setting', failures: 0, dueAt: now() };
}

/** The changes of a code that must end, for a reason or on request. */
export function ended(code: AccessCode, failedBecause: AccessCode['failedBecause'] = null): Partial<AccessCode> {
  if (code.status !== 'scheduled') return { status: 'removing', failedBecause, failures: 0, dueAt: now() };
  return { status: failedBecause ? 'failed' : 'removed', failedBecause, dueAt: null };
}

/** The changes of a code that ended with its stay, now that the stay is on again. */
export function broughtBack(code: AccessCode, times: Times): Partial<AccessCode> {
  const changes = { ...times, calledOff: false, failures: 0 };
  if (code.status === 'removing') return { ...changes, status: 'setting', renewed: true, dueAt: now() };
  const unset = { providerRef: null, asked: false, renewed: false };
  return { ...changes, ...unset, status: 'scheduled', dueAt: setAt({ startsAt: times.startsAt ?? null }) };
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

/** Whether the device has a slot for it for its whole time, in addition to other codes of that time. */
export function hasPlace({ limits }: Device, code: AccessCode, others: readonly AccessCode[]): boolean {
  if (limits.codeSlots === null) return true;
  const spans = others.map(spanOf);
  const own = spanOf(code);
  const moments = [own.from, ...spans.map(({ from }) => Math.max(from, own.from))];
  const most = Math.max(...moments.map((at) => spans.filter(({ from, until }) => from <= at && at < until).length));
  return most < limits.codeSlots;
}

type Given = Pick<AccessCode, 'id' | 'name' | 'type' | 'sealed' | 'startsAt' | 'endsAt' | 'reservationId'>;

/** A code that is to be set on a device when its time comes. */
export function newCode({ orgId, id: deviceId, propertyId }: Device, given: Given): AccessCode {
  const createdAt = now();
  return Object.assign(new AccessCode(), {
    ...given,
    orgId,
    deviceId,
    propertyId,
    status: 'scheduled' as const,
    failedBecause: null,
    calledOff: false,
    providerRef: null,
    asked: false,
    renewed: false,
    attempt: 0,
    failures: 0,
    dueAt: setAt(given),
    leaseUntil: null,
    version: 1,
    createdAt,
    updatedAt: createdAt,
  });
}
