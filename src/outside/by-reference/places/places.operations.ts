import { many, one, type Operation, operation, saved } from '#operations';
import { createProperty, restoreProperty, updateProperty } from '../../../tenancy/properties/properties.operations.js';
import { connectionNotYours } from '../../../tenancy/references/references.errors.js';
import { createUnitType, updateUnitType } from '../../../tenancy/unit-types/unit-types.operations.js';
import { createUnit, restoreUnit, setUnitStatus, updateUnit } from '../../../tenancy/units/units.operations.js';
import { BulkSaveResult } from '../bulk.dto.js';
import { bulkRefusals, savingRefusals } from '../by-reference.errors.js';
import { CreateProperty, PropertyView } from '../../../tenancy/properties/property.dto.js';
import { CreateUnitType, UnitTypeView } from '../../../tenancy/unit-types/unit-type.dto.js';
import { CreateUnit, UnitView } from '../../../tenancy/units/unit.dto.js';
import { ThisReference } from '../by-reference.dto.js';
import {
  SavePropertiesInBulk,
  SavePropertyByRef,
  SaveUnitByRef,
  SaveUnitsInBulk,
  SaveUnitTypeByRef,
  SaveUnitTypesInBulk,
  type UnitContent,
} from './places.dto.js';

const savesUnits = (saves: readonly UnitContent[]): Operation[] => [
  createUnit,
  updateUnit,
  restoreUnit,
  ...(saves.some(({ cleaningStatus }) => cleaningStatus !== undefined) ? [setUnitStatus] : []),
];

export const savePropertyByRef = operation({
  name: 'savePropertyByRef',
  route: 'PUT /connections/{connectionId}/properties/{externalId}',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Save a property by your id',
  description:
    'Creates a property under your id, or changes the fields that differ from your last save. Fields as in createProperty.',
  askedAs: 'upsert a house from a PMS',
  refuses: [...savingRefusals, ...(createProperty.refuses ?? []), ...(updateProperty.refuses ?? [])],
  input: SavePropertyByRef,
  carriesOut: () => [createProperty, updateProperty, restoreProperty],
  fieldsAs: CreateProperty,
  output: saved(PropertyView),
});

export const getPropertyByRef = operation({
  name: 'getPropertyByRef',
  route: 'GET /connections/{connectionId}/properties/{externalId}',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a property by your id',
  description: 'Returns the property that has this id in your system.',
  askedAs: 'look up a house by its PMS id',
  refuses: [connectionNotYours],
  input: ThisReference,
  output: one(PropertyView),
});

export const saveUnitTypeByRef = operation({
  name: 'saveUnitTypeByRef',
  route: 'PUT /connections/{connectionId}/unit-types/{externalId}',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Save a unit type by your id',
  description:
    'Creates a unit type under your id, or changes the fields that differ from your last save. Fields as in createUnitType.',
  askedAs: 'upsert a room type from a PMS',
  refuses: [...savingRefusals, ...(createUnitType.refuses ?? []), ...(updateUnitType.refuses ?? [])],
  input: SaveUnitTypeByRef,
  carriesOut: () => [createUnitType, updateUnitType],
  fieldsAs: CreateUnitType,
  output: saved(UnitTypeView),
});

export const getUnitTypeByRef = operation({
  name: 'getUnitTypeByRef',
  route: 'GET /connections/{connectionId}/unit-types/{externalId}',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a unit type by your id',
  description: 'Returns the unit type that has this id in your system.',
  askedAs: 'look up a room type by its PMS id',
  refuses: [connectionNotYours],
  input: ThisReference,
  output: one(UnitTypeView),
});

export const saveUnitByRef = operation({
  name: 'saveUnitByRef',
  route: 'PUT /connections/{connectionId}/units/{externalId}',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Save a unit by your id',
  description:
    'Creates a unit under your id, or changes the fields that differ from your last save. Fields as in createUnit.',
  askedAs: 'upsert a room from a PMS',
  refuses: [...savingRefusals, ...(createUnit.refuses ?? []), ...(updateUnit.refuses ?? [])],
  input: SaveUnitByRef,
  carriesOut: (input) => savesUnits([input]),
  fieldsAs: CreateUnit,
  output: saved(UnitView),
});

export const getUnitByRef = operation({
  name: 'getUnitByRef',
  route: 'GET /connections/{connectionId}/units/{externalId}',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a unit by your id',
  description: 'Returns the unit that has this id in your system.',
  askedAs: 'look up a room by its PMS id',
  refuses: [connectionNotYours],
  input: ThisReference,
  output: one(UnitView),
});

export const savePropertiesInBulk = operation({
  name: 'savePropertiesInBulk',
  route: 'POST /connections/{connectionId}/properties/bulk',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Save properties by your ids',
  description:
    'Saves up to 200 properties as savePropertyByRef does. Returns a result for each item in order; a rejected item does not affect the others.',
  askedAs: 'load, import or upsert many properties',
  refuses: bulkRefusals,
  input: SavePropertiesInBulk,
  carriesOut: () => [createProperty, updateProperty, restoreProperty],
  fieldsAs: CreateProperty,
  output: many(BulkSaveResult),
  countsItems: true,
  transaction: 'slices',
  answersWithinSeconds: 10,
});

export const saveUnitTypesInBulk = operation({
  name: 'saveUnitTypesInBulk',
  route: 'POST /connections/{connectionId}/unit-types/bulk',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Save unit types by your ids',
  description:
    'Saves up to 200 unit types as saveUnitTypeByRef does. Returns a result for each item in order; a rejected item does not affect the others.',
  askedAs: 'load, import or upsert many unit types',
  refuses: bulkRefusals,
  input: SaveUnitTypesInBulk,
  carriesOut: () => [createUnitType, updateUnitType],
  fieldsAs: CreateUnitType,
  output: many(BulkSaveResult),
  countsItems: true,
  transaction: 'slices',
  answersWithinSeconds: 10,
});

export const saveUnitsInBulk = operation({
  name: 'saveUnitsInBulk',
  route: 'POST /connections/{connectionId}/units/bulk',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Save units by your ids',
  description:
    'Saves up to 200 units as saveUnitByRef does. Returns a result for each item in order; a rejected item does not affect the others.',
  askedAs: 'load, import or upsert many units',
  refuses: bulkRefusals,
  input: SaveUnitsInBulk,
  carriesOut: ({ items }) => savesUnits(items),
  fieldsAs: CreateUnit,
  output: many(BulkSaveResult),
  countsItems: true,
  transaction: 'slices',
  answersWithinSeconds: 10,
});
