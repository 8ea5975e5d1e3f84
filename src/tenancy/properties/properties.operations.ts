import { connectionNotYours, referenceRefusals } from '../references/references.errors.js';
import { one, operation, page } from '#operations';
import {
  CalendarFeedView,
  CreateProperty,
  ListProperties,
  PropertyView,
  SetPropertyStatus,
  ThisProperty,
  UpdateProperty,
  Wifi,
} from './property.dto.js';
import { noWifi, propertyInUse } from './properties.errors.js';
import { quotaExceeded } from '../quotas/quotas.errors.js';

export const createProperty = operation({
  name: 'createProperty',
  route: 'POST /properties',
  scope: 'properties:write',
  effect: 'write',
  reach: 'organization',
  title: 'Add a property',
  description: 'Adds a property. Requires a credential without a property limit.',
  askedAs: 'a new or taken over house, hotel',
  refuses: [...referenceRefusals, quotaExceeded],
  input: CreateProperty,
  output: one(PropertyView),
  status: 201,
});

export const listProperties = operation({
  name: 'listProperties',
  route: 'GET /properties',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'List properties',
  description: 'Lists the properties that this credential can see.',
  askedAs: 'houses, find one by name, which are not ready or clean',
  everyday: true,
  refuses: [connectionNotYours],
  input: ListProperties,
  output: page(PropertyView),
});

export const getProperty = operation({
  name: 'getProperty',
  route: 'GET /properties/{propertyId}',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a property',
  description: 'Returns one property with its settings and readiness.',
  askedAs: 'address, check-in time, is the house ready',
  everyday: true,
  input: ThisProperty,
  output: one(PropertyView),
});

export const updateProperty = operation({
  name: 'updateProperty',
  route: 'PATCH /properties/{propertyId}',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Change a property',
  description: 'Changes the given fields. New times or a new time zone move future stays and their tasks.',
  askedAs: 'check-in time, wifi password, address of a house',
  refuses: referenceRefusals,
  input: UpdateProperty,
  output: one(PropertyView),
});

export const setPropertyStatus = operation({
  name: 'setPropertyStatus',
  route: 'POST /properties/{propertyId}/status',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Set the cleaning status',
  description: 'Sets the cleaning status of a property, which affects its readiness.',
  askedAs: 'a house is clean, inspected, ready or dirty',
  input: SetPropertyStatus,
  output: one(PropertyView),
});

export const archiveProperty = operation({
  name: 'archiveProperty',
  route: 'POST /properties/{propertyId}/archive',
  scope: 'properties:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Archive a property',
  description:
    'Takes a property out of use. Rejected while current or future stays, access codes, recurring tasks or connections use it. restoreProperty brings it back.',
  askedAs: 'delete, give up, no longer manage, close a house',
  refuses: [propertyInUse],
  input: ThisProperty,
  output: one(PropertyView),
});

export const restoreProperty = operation({
  name: 'restoreProperty',
  route: 'POST /properties/{propertyId}/restore',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Restore a property',
  description: 'Restores an archived property.',
  askedAs: 'bring back, reopen a closed house',
  refuses: [quotaExceeded],
  input: ThisProperty,
  output: one(PropertyView),
});

export const revealWifi = operation({
  name: 'revealWifi',
  route: 'POST /properties/{propertyId}/wifi/reveal',
  scope: 'properties:secrets',
  effect: 'read',
  reach: 'property',
  title: 'Show the wifi password',
  description: 'Returns the name and password of the wifi network.',
  askedAs: 'wifi password, network, internet',
  refuses: [noWifi],
  input: ThisProperty,
  output: one(Wifi),
  showsSecret: 'password',
});

export const revealCalendarFeed = operation({
  name: 'revealCalendarFeed',
  route: 'POST /properties/{propertyId}/calendar-feed/reveal',
  scope: 'properties:secrets',
  effect: 'read',
  reach: 'property',
  title: 'Show the calendar address',
  description: 'Returns the address of the iCal feed of a property’s stays. Anyone with the address can read the feed.',
  askedAs: 'iCal link, calendar export',
  input: ThisProperty,
  output: one(CalendarFeedView),
  showsSecret: 'url',
});

export const rotateCalendarFeed = operation({
  name: 'rotateCalendarFeed',
  route: 'POST /properties/{propertyId}/calendar-feed/rotate',
  scope: 'properties:secrets',
  effect: 'write',
  reach: 'property',
  title: 'Change the calendar address',
  description: 'Gives the iCal feed a new address; the old one stops working immediately.',
  askedAs: 'new iCal link, make the old one invalid',
  input: ThisProperty,
  carriesOut: () => [revealCalendarFeed],
  output: one(CalendarFeedView),
  showsSecret: 'url',
});
