import type { Refusal } from '#errors';
import { carryOutBeside, many, one, operation, refuseBeside, saved } from '#operations';
import { connectionIsOver } from '../../../outside/connections/connections.errors.js';
import { disconnectConnection } from '../../../outside/connections/connections.operations.js';
import { ThisReference, VersionedReference } from '../../../outside/by-reference/by-reference.dto.js';
import { BulkSaveResult } from '../../../outside/by-reference/bulk.dto.js';
import {
  bulkRefusals,
  savesNothing,
  savingRefusals,
  versionIsStale,
  versionOfAnotherForm,
} from '../../../outside/by-reference/by-reference.errors.js';
import { connectionNotYours } from '../../../tenancy/references/references.errors.js';
import {
  guestsHaveCome,
  notConfirmed,
  ownedByProvider,
  statusCannotFollow,
  unitNotAssigned,
  unitOfAnotherType,
  wouldCancelStays,
} from '../reservations.errors.js';
import { createGuest, updateGuest } from '../guests.operations.js';
import { createReservation, updateReservation } from '../reservations.operations.js';
import { cancelReservation } from '../stay-states.operations.js';
import { CreateGuest, GuestView } from '../guest.dto.js';
import { CreateReservation } from '../reservation-changes.dto.js';
import { ReservationView } from '../reservation.dto.js';
import { ReconcileReservations, Reconciliation } from './reconciliation.dto.js';
import { SaveGuestByRef, SaveGuestsInBulk, SaveReservationByRef, SaveReservationsInBulk } from './pushed-stay.dto.js';
import { savesGuests, savesStays } from './carried-out-by-saves.js';

/** Another system may say any status, and any unit for what it sold. */
const ofPeopleAlone: readonly Refusal[] = [statusCannotFollow, unitOfAnotherType];
const stayRefusals = [
  ...savingRefusals,
  ...(createReservation.refuses ?? []),
  ...(updateReservation.refuses ?? []),
  guestsHaveCome,
  notConfirmed,
  ownedByProvider,
  unitNotAssigned,
].filter((refusal) => !ofPeopleAlone.includes(refusal));

export const saveGuestByRef = operation({
  name: 'saveGuestByRef',
  route: 'PUT /connections/{connectionId}/guests/{externalId}',
  scope: 'guests:write',
  effect: 'write',
  reach: 'property',
  title: 'Save a guest by your id',
  description:
    'Creates a guest under your id, or changes the fields that differ from your last save. Fields as in createGuest.',
  askedAs: 'upsert a guest profile from a PMS',
  refuses: [...savingRefusals, ...(createGuest.refuses ?? []), ...(updateGuest.refuses ?? [])],
  input: SaveGuestByRef,
  carriesOut: savesGuests,
  fieldsAs: CreateGuest,
  output: saved(GuestView),
});

export const getGuestByRef = operation({
  name: 'getGuestByRef',
  route: 'GET /connections/{connectionId}/guests/{externalId}',
  scope: 'guests:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a guest by your id',
  description: 'Returns the guest that has this id in your system.',
  askedAs: 'look up a guest profile by its PMS id',
  refuses: [connectionNotYours],
  input: ThisReference,
  output: one(GuestView),
});

export const saveReservationByRef = operation({
  name: 'saveReservationByRef',
  route: 'PUT /connections/{connectionId}/reservations/{externalId}',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Save a stay by your id',
  description:
    'Creates a stay under your id, or moves, assigns, cancels, reinstates or checks it in where it differs from your last save. Fields as in createReservation.',
  askedAs: 'upsert a booking from a PMS',
  refuses: stayRefusals,
  input: SaveReservationByRef,
  carriesOut: (input) => savesStays([input]),
  fieldsAs: CreateReservation,
  output: saved(ReservationView),
});

export const getReservationByRef = operation({
  name: 'getReservationByRef',
  route: 'GET /connections/{connectionId}/reservations/{externalId}',
  scope: 'reservations:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a stay by your id',
  description: 'Returns the stay that has this id in your system.',
  askedAs: 'look up a booking by its PMS id',
  refuses: [connectionNotYours],
  input: ThisReference,
  output: one(ReservationView),
});

export const cancelReservationByRef = operation({
  name: 'cancelReservationByRef',
  route: 'DELETE /connections/{connectionId}/reservations/{externalId}',
  scope: 'reservations:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Cancel a stay by your id',
  description: 'Cancels the stay that has this id in your system, and returns it.',
  askedAs: 'a booking was deleted in the PMS',
  refuses: [
    connectionNotYours,
    connectionIsOver,
    savesNothing,
    versionIsStale,
    versionOfAnotherForm,
    guestsHaveCome,
    ownedByProvider,
  ],
  input: VersionedReference,
  carriesOut: () => [cancelReservation],
  output: saved(ReservationView),
});

export const saveGuestsInBulk = operation({
  name: 'saveGuestsInBulk',
  route: 'POST /connections/{connectionId}/guests/bulk',
  scope: 'guests:write',
  effect: 'write',
  reach: 'property',
  title: 'Save guests by your ids',
  description:
    'Saves up to 200 guests as saveGuestByRef does. Returns a result for each item in order; a rejected item does not affect the others.',
  askedAs: 'load, import or upsert many guests',
  refuses: bulkRefusals,
  input: SaveGuestsInBulk,
  carriesOut: savesGuests,
  fieldsAs: CreateGuest,
  output: many(BulkSaveResult),
  countsItems: true,
  transaction: 'slices',
  answersWithinSeconds: 10,
});

export const saveReservationsInBulk = operation({
  name: 'saveReservationsInBulk',
  route: 'POST /connections/{connectionId}/reservations/bulk',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Save stays by your ids',
  description:
    'Saves up to 200 stays as saveReservationByRef does. Returns a result for each item in order; a rejected item does not affect the others.',
  askedAs: 'load, import or upsert many stays',
  refuses: bulkRefusals,
  input: SaveReservationsInBulk,
  carriesOut: ({ items }) => savesStays(items),
  fieldsAs: CreateReservation,
  output: many(BulkSaveResult),
  countsItems: true,
  transaction: 'slices',
  answersWithinSeconds: 10,
});

export const reconcileReservations = operation({
  name: 'reconcileReservations',
  route: 'POST /connections/{connectionId}/reservations/reconcile',
  scope: 'reservations:read',
  effect: 'read',
  reach: 'property',
  title: 'Compare stays with your system',
  description:
    'Compares up to 5,000 ids and content hashes with what you saved: which are missing or different here and, with from or until, which stays you did not list.',
  askedAs: 'reconcile bookings with the PMS after a lost state',
  refuses: [connectionNotYours],
  input: ReconcileReservations,
  output: one(Reconciliation),
});

// A connection to a system that writes to us may cancel its stays when it ends.
refuseBeside(disconnectConnection, [wouldCancelStays]);
carryOutBeside(disconnectConnection, ({ stays }) => (stays === 'cancel' ? [cancelReservation] : []));
