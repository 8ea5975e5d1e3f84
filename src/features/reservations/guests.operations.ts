import { DeletionView, one, operation, page } from '#operations';
import { CreateGuest, GuestView, ListGuests, ThisGuest, UpdateGuest } from './guest.dto.js';

export const createGuest = operation({
  name: 'createGuest',
  route: 'POST /guests',
  scope: 'guests:write',
  effect: 'write',
  reach: 'property',
  title: 'Add a guest',
  description: 'Adds a guest. createReservation can add a guest together with the stay.',
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
  description: 'Lists guests, newest first; search by part of the name.',
  input: ListGuests,
  output: page(GuestView),
});

export const getGuest = operation({
  name: 'getGuest',
  route: 'GET /guests/{guestId}',
  scope: 'guests:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a guest',
  description: 'Returns one guest with contacts and notes.',
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
  input: ThisGuest,
  output: one(DeletionView),
});
