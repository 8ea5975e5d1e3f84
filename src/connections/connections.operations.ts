import { one, operation, page } from '#operations';
import {
  ConnectionView,
  CreateConnection,
  DisconnectConnection,
  ListConnections,
  ThisConnection,
  UpdateConnection,
} from './connection.dto.js';

export const listConnections = operation({
  name: 'listConnections',
  route: 'GET /connections',
  scope: 'connections:read',
  effect: 'read',
  reach: 'property',
  title: 'List connections',
  description: 'Connections to other systems, with how they stand and when they were last in step.',
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
  description: 'One connection with its status, the reason for it and the last errors.',
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
  description: 'Connects a calendar, or devices through a provider. The first sync follows by itself within seconds.',
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
  description: 'Changes the fields that are given; settings and credentials are replaced whole and tried at once.',
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
  description: 'Asks the provider, takes nothing over, and answers the connection; status and reason say how it went.',
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
  description: 'Brings everything in step now; lastSync counts what changed, status and reason say how it went.',
  input: ThisConnection,
  output: one(ConnectionView),
  transaction: 'own',
});

export const disconnectConnection = operation({
  name: 'disconnectConnection',
  route: 'POST /connections/{connectionId}/disconnect',
  scope: 'connections:manage',
  effect: 'destructive',
  reach: 'property',
  title: 'Disconnect a system',
  description:
    'Ends a connection for good and forgets its credentials. What it brought stays, and is ours to change. Refused while access codes open its devices, unless forced.',
  input: DisconnectConnection,
  output: one(ConnectionView),
});
