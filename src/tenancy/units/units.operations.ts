import { one, operation, page } from '#operations';
import { CreateUnit, ListUnits, ThisUnit, UnitView, UpdateUnit } from './unit.dto.js';

export const createUnit = operation({
  name: 'createUnit',
  route: 'POST /properties/{propertyId}/units',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Add a unit',
  description: 'Adds a unit: a part of a property that is let separately.',
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
  input: UpdateUnit,
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
  input: ThisUnit,
  output: one(UnitView),
});
