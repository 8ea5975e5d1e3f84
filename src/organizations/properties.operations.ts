import { one, operation, page } from '#operations';
import { CreateProperty, ListProperties, PropertyView, ThisProperty } from './property.dto.js';

export const createProperty = operation({
  name: 'createProperty',
  route: 'POST /properties',
  scope: 'properties:write',
  effect: 'write',
  title: 'Add a property',
  description: 'Adds a property. A credential that is limited to some properties cannot.',
  input: CreateProperty,
  output: one(PropertyView),
  status: 201,
});

export const listProperties = operation({
  name: 'listProperties',
  route: 'GET /properties',
  scope: 'properties:read',
  effect: 'read',
  title: 'List properties',
  description: 'The properties that this credential may see.',
  input: ListProperties,
  output: page(PropertyView),
});

export const getProperty = operation({
  name: 'getProperty',
  route: 'GET /properties/{propertyId}',
  scope: 'properties:read',
  effect: 'read',
  title: 'Get a property',
  description: 'One property.',
  input: ThisProperty,
  output: one(PropertyView),
});
