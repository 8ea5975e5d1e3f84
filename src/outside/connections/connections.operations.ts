import { one, operation, page, refuseBeside } from '#operations';
import {
  ConnectionView,
  CreateConnection,
  DisconnectConnection,
  ListConnections,
  ThisConnection,
  UpdateConnection,
} from './connection.dto.js';
import {
  connectionIsOver,
  connectionNeedsAProperty,
  propertyHasConnections,
  unitHasConnections,
} from './connections.errors.js';
import {
  propertyIsArchived,
  propertyNotFound,
  unitIsArchived,
  unitNotFound,
} from '../../tenancy/properties/properties.errors.js';
import { quotaExceeded } from '../../tenancy/quotas/quotas.errors.js';
import { archiveProperty } from '../../tenancy/properties/properties.operations.js';
import { archiveUnit } from '../../tenancy/units/units.operations.js';

export const listConnections = operation({
  name: 'listConnections',
  route: 'GET /connections',
  scope: 'connections:read',
  effect: 'read',
  reach: 'property',
  title: 'List connections',
  description: 'Lists connections to other systems, with their status and last sync.',
  askedAs: 'integrations, calendars, Airbnb or Booking.com not showing up',
  input: ListConnections,
  output: page(ConnectionView),
});

export const getConnection = operation({
  name: 'getConnection',
  route: 'GET /connections/{connectionId}',
  scope: 'connections:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a connection',
  description: 'Returns one connection with its status, the reason for it and the latest errors.',
  askedAs: 'state and last synchronization of a calendar',
  input: ThisConnection,
  output: one(ConnectionView),
});

export const createConnection = operation({
  name: 'createConnection',
  route: 'POST /connections',
  scope: 'connections:manage',
  effect: 'write',
  reach: 'property',
  title: 'Connect another system',
  description:
    'Connects a calendar, or devices through a provider. The first sync starts automatically within seconds.',
  askedAs: 'link an iCal calendar, booking system, lock or thermostat account',
  refuses: [
    connectionNeedsAProperty,
    propertyIsArchived,
    propertyNotFound,
    quotaExceeded,
    unitIsArchived,
    unitNotFound,
  ],
  input: CreateConnection,
  output: one(ConnectionView),
  status: 201,
});

export const updateConnection = operation({
  name: 'updateConnection',
  route: 'PATCH /connections/{connectionId}',
  scope: 'connections:manage',
  effect: 'write',
  reach: 'property',
  title: 'Change a connection',
  description: 'Changes the given fields. Settings and credentials are replaced as a whole and tested immediately.',
  askedAs: 'new credentials, calendar URL',
  refuses: [
    connectionIsOver,
    connectionNeedsAProperty,
    propertyIsArchived,
    propertyNotFound,
    unitIsArchived,
    unitNotFound,
  ],
  input: UpdateConnection,
  output: one(ConnectionView),
});

export const testConnection = operation({
  name: 'testConnection',
  route: 'POST /connections/{connectionId}/test',
  scope: 'connections:manage',
  effect: 'write',
  reach: 'property',
  title: 'Test a connection',
  description: 'Tests the connection without importing anything, and returns it; status and reason show the outcome.',
  askedAs: 'verify credentials, does it work',
  refuses: [connectionIsOver],
  input: ThisConnection,
  output: one(ConnectionView),
  transaction: 'own',
});

export const syncConnection = operation({
  name: 'syncConnection',
  route: 'POST /connections/{connectionId}/sync',
  scope: 'connections:manage',
  effect: 'write',
  reach: 'property',
  title: 'Sync a connection',
  description:
    'Syncs everything now. Returns when that is done, or after 10 seconds with its progress as currentSync; getConnection shows it until currentSync is null. lastSync counts what changed; status and reason show the outcome.',
  askedAs: 'import the calendar now, refresh bookings, Airbnb',
  refuses: [connectionIsOver],
  input: ThisConnection,
  output: one(ConnectionView),
  transaction: 'own',
  answersWithinSeconds: 20,
  status: 202,
  follow: ({ id, currentSync }) => (currentSync ? `/connections/${id}` : undefined),
});

export const disconnectConnection = operation({
  name: 'disconnectConnection',
  route: 'POST /connections/{connectionId}/disconnect',
  scope: 'connections:manage',
  effect: 'destructive',
  reach: 'property',
  title: 'Disconnect a system',
  description:
    'Ends a connection permanently and deletes its credentials. Imported records remain and can be changed. Rejected while access codes open its devices, unless forced.',
  askedAs: 'unlink a calendar, end an integration',
  input: DisconnectConnection,
  output: one(ConnectionView),
});

// Connections keep the place that they are of.
refuseBeside(archiveUnit, [unitHasConnections]);
refuseBeside(archiveProperty, [propertyHasConnections]);
