import { connectionNotYours, referenceRefusals } from '../references/references.errors.js';
import { one, operation, page } from '#operations';
import { CreateUnitType, ListUnitTypes, ThisUnitType, UnitTypeView, UpdateUnitType } from './unit-type.dto.js';
import { propertyIsArchived } from '../properties/properties.errors.js';
import { unitTypeCodeTaken, unitTypeInUse } from './unit-types.errors.js';

export const createUnitType = operation({
  name: 'createUnitType',
  route: 'POST /properties/{propertyId}/unit-types',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Add a unit type',
  description: 'Adds a unit type, such as a double room. Stays can be booked for a type before a unit is chosen.',
  askedAs: 'add a room category, define a type of room',
  refuses: [...referenceRefusals, propertyIsArchived, unitTypeCodeTaken],
  input: CreateUnitType,
  output: one(UnitTypeView),
  status: 201,
});

export const listUnitTypes = operation({
  name: 'listUnitTypes',
  route: 'GET /properties/{propertyId}/unit-types',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'List unit types',
  description: 'Lists the unit types of a property, with the number of their units.',
  askedAs: 'room categories, which types of rooms there are',
  refuses: [connectionNotYours],
  input: ListUnitTypes,
  output: page(UnitTypeView),
});

export const getUnitType = operation({
  name: 'getUnitType',
  route: 'GET /properties/{propertyId}/unit-types/{unitTypeId}',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a unit type',
  description: 'Returns one unit type with the number of its units.',
  askedAs: 'one room category, how many rooms of a type',
  input: ThisUnitType,
  output: one(UnitTypeView),
});

export const updateUnitType = operation({
  name: 'updateUnitType',
  route: 'PATCH /properties/{propertyId}/unit-types/{unitTypeId}',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Change a unit type',
  description: 'Changes the given fields of a unit type. Use updateUnit to give a unit another type.',
  askedAs: 'rename a room category, change its capacity',
  refuses: [...referenceRefusals, unitTypeCodeTaken],
  input: UpdateUnitType,
  output: one(UnitTypeView),
});

export const archiveUnitType = operation({
  name: 'archiveUnitType',
  route: 'POST /properties/{propertyId}/unit-types/{unitTypeId}/archive',
  scope: 'properties:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Archive a unit type',
  description: 'Takes a unit type out of use. Rejected while units or current or future stays use it.',
  askedAs: 'remove a room category, stop offering a kind of room',
  refuses: [unitTypeInUse],
  input: ThisUnitType,
  output: one(UnitTypeView),
});
