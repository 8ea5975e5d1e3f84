import { connectionNotYours, referenceRefusals } from '../../tenancy/references/references.errors.js';
import { DeletionView, one, operation, page } from '#operations';
import { CreateGuest, GuestView, ListedGuest, ListGuests, MergeGuests, ThisGuest, UpdateGuest } from './guest.dto.js';
import { guestIsMerged, guestNeedsAStay } from './reservations.errors.js';

export const createGuest = operation({
  name: 'createGuest',
  route: 'POST /guests',
  scope: 'guests:write',
  effect: 'write',
  reach: 'property',
  title: 'Add a guest',
  description: 'Adds a guest. createReservation can add a guest together with the stay.',
  askedAs: 'profile, contact',
  refuses: [...referenceRefusals, guestNeedsAStay],
  input: CreateGuest,
  output: one(GuestView),
  status: 201,
});

export const listGuests = operation({
  name: 'listGuests',
  route: 'GET /guests',
  scope: 'guests:read',
  effect: 'read',
  reach: 'property',
  title: 'List guests',
  description: 'Lists guests, newest first.',
  askedAs: 'find a guest by name or email',
  everyday: true,
  refuses: [connectionNotYours],
  input: ListGuests,
  output: page(ListedGuest),
});

export const getGuest = operation({
  name: 'getGuest',
  route: 'GET /guests/{guestId}',
  scope: 'guests:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a guest',
  description: 'Returns one guest with contacts and notes.',
  askedAs: 'phone number, email address',
  everyday: true,
  input: ThisGuest,
  output: one(GuestView),
});

export const updateGuest = operation({
  name: 'updateGuest',
  route: 'PATCH /guests/{guestId}',
  scope: 'guests:write',
  effect: 'write',
  reach: 'property',
  title: 'Change a guest',
  description: 'Changes the given fields; null clears a field.',
  askedAs: 'new email, phone number, note about a guest',
  refuses: [...referenceRefusals, guestIsMerged],
  input: UpdateGuest,
  output: one(GuestView),
});

export const eraseGuest = operation({
  name: 'eraseGuest',
  route: 'DELETE /guests/{guestId}',
  scope: 'guests:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Erase a guest',
  description: 'Permanently deletes everything that identifies the guest; their stays remain without a name.',
  askedAs: 'delete personal data, GDPR request',
  refuses: [guestIsMerged],
  input: ThisGuest,
  output: one(DeletionView),
});

export const mergeGuests = operation({
  name: 'mergeGuests',
  route: 'POST /guests/{guestId}/merge',
  scope: 'guests:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Merge two guests',
  description:
    'Moves the stays and messages of another guest to this one, and fills in missing details. The other guest then only refers to this one. Cannot be undone.',
  askedAs: 'a duplicate profile of the same person',
  refuses: [guestIsMerged],
  input: MergeGuests,
  output: one(GuestView),
});
