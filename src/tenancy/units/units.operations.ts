import { connectionNotYours, referenceRefusals } from '../references/references.errors.js';
import { one, operation, page } from '#operations';
import { CreateUnit, ListAllUnits, ListUnits, SetUnitStatus, ThisUnit, UnitView, UpdateUnit } from './unit.dto.js';
import { propertyIsArchived, unitConnectsToItself, unitInUse } from '../properties/properties.errors.js';
import { unitTypeIsArchived, unitTypeIsFull } from '../unit-types/unit-types.errors.js';

/** What can be shown beside each record, by the field that names it. */
const beside = { unitType: 'unitTypeId', property: 'propertyId', tasks: 'id', devices: 'id' };

export const createUnit = operation({
  name: 'createUnit',
  route: 'POST /properties/{propertyId}/units',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Add a unit',
  description: 'Adds a unit: a part of a property that is rented separately.',
  askedAs: 'room, apartment',
  refuses: [...referenceRefusals, propertyIsArchived, unitTypeIsArchived],
  input: CreateUnit,
  output: one(UnitView),
  status: 201,
});

export const listUnits = operation({
  name: 'listUnits',
  route: 'GET /properties/{propertyId}/units',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'List units',
  description: 'Lists the units of a property.',
  askedAs: 'rooms, apartments, find one by name, which are clean or free',
  includes: beside,
  refuses: [connectionNotYours],
  input: ListUnits,
  output: page(UnitView),
});

export const updateUnit = operation({
  name: 'updateUnit',
  route: 'PATCH /properties/{propertyId}/units/{unitId}',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Change a unit',
  description: 'Changes the given fields, including the cleaning status.',
  askedAs: 'rename a room, capacity, how many it sleeps',
  refuses: [...referenceRefusals, unitConnectsToItself, unitTypeIsArchived, unitTypeIsFull],
  input: UpdateUnit,
  carriesOut: ({ cleaningStatus }) => (cleaningStatus === undefined ? [] : [setUnitStatus]),
  output: one(UnitView),
});

export const archiveUnit = operation({
  name: 'archiveUnit',
  route: 'POST /properties/{propertyId}/units/{unitId}/archive',
  scope: 'properties:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Archive a unit',
  description:
    'Takes a unit out of use. Rejected while current or future stays, access codes, recurring tasks or connections use it.',
  askedAs: 'delete, give up a room',
  refuses: [unitInUse, unitTypeIsFull],
  input: ThisUnit,
  output: one(UnitView),
});

export const getUnit = operation({
  name: 'getUnit',
  route: 'GET /properties/{propertyId}/units/{unitId}',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a unit',
  description: 'Returns one unit of a property with its readiness.',
  askedAs: 'one room or apartment',
  includes: beside,
  input: ThisUnit,
  output: one(UnitView),
});

export const listAllUnits = operation({
  name: 'listAllUnits',
  route: 'GET /units',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'List units of all properties',
  description: 'Lists units by property, cleaning status and name.',
  askedAs: 'rooms, apartments, find one by name anywhere, which are clean or free',
  everyday: true,
  includes: beside,
  refuses: [connectionNotYours],
  input: ListAllUnits,
  output: page(UnitView),
});

export const restoreUnit = operation({
  name: 'restoreUnit',
  route: 'POST /properties/{propertyId}/units/{unitId}/restore',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Restore a unit',
  description: 'Restores an archived unit.',
  askedAs: 'bring back a retired room or apartment',
  refuses: [propertyIsArchived],
  input: ThisUnit,
  output: one(UnitView),
});

export const setUnitStatus = operation({
  name: 'setUnitStatus',
  route: 'POST /properties/{propertyId}/units/{unitId}/status',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Set the status of a unit',
  description: 'Sets the cleaning status of a unit, and guest requests until the next local midnight.',
  askedAs: 'a room is clean, inspected, dirty or do not disturb',
  everyday: true,
  input: SetUnitStatus,
  output: one(UnitView),
});
