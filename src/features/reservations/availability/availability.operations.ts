import { operation, sections } from '#operations';
import { noNightAsked, stayTooLong } from '../reservations.errors.js';
import { AvailabilityView, GetAvailability } from './availability.dto.js';

export const getAvailability = operation({
  name: 'getAvailability',
  route: 'GET /properties/{propertyId}/availability',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'Show what can be booked',
  description:
    'Shows how many stays of each unit type can still be booked for all of the nights, and whether the whole property can. Stays that wait for a unit count.',
  askedAs: 'how many rooms of a type are left to sell, can we take another booking',
  refuses: [noNightAsked, stayTooLong],
  input: GetAvailability,
  output: sections(AvailabilityView),
});
