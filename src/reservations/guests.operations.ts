import { one, operation, page } from '#operations';
import { DeletionView } from '../deletion.js';
import { CreateGuest, GuestView, ListGuests, ThisGuest, UpdateGuest } from './guest.dto.js';

export const createGuest = operation({
  name: 'createGuest',
  route: 'POST /guests',
  scope: 'guests:write',
  effect: 'write',
  reach: 'property',
  title: 'Add a guest',
  description: 'Adds a guest. A stay can name a new guest by itself, with createReservation.',
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
  description: 'Guests, found by a part of their name; newest first.',
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
  description: 'One guest with contacts and notes.',
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
  description: 'Changes the fields that are given; null clears a field.',
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
  description: 'Removes everything that tells who the guest was, for good; their stays stay without a name.',
  input: ThisGuest,
  output: one(DeletionView),
});
