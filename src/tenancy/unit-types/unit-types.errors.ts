import { conflict, recordNotFound, shaped } from '#errors';
import { UnitsAndStaysDetails } from '../stays/uses.dto.js';
import { type Explanation, UnitTypeFullDetails } from '../stays/explanation.dto.js';
import type { TypeNight } from '../stays/nights.repository.js';

export const unitTypeNotFound = recordNotFound('unit type', 'listUnitTypes');

export const unitTypeIsArchived = () =>
  conflict('UNIT_TYPE_ARCHIVED', 'The unit type is archived. Choose another one.');

export const unitTypeCodeTaken = (code: string) =>
  conflict('UNIT_TYPE_CODE_TAKEN', `Another unit type of the property has the code ${code}. Choose another code.`);

export const unitTypeInUse = (unitIds: string[], reservationIds: string[]) =>
  conflict(
    'UNIT_TYPE_IN_USE',
    'Units or future stays use the unit type. Give the units another type and move the stays, then archive it.',
    shaped(UnitsAndStaysDetails, { unitIds, reservationIds }),
  );

export const unitTypeIsFull = (unitTypeId: string, nights: TypeNight[], explanation?: Explanation) =>
  conflict(
    'UNIT_TYPE_FULL',
    'The unit type has no unit left on some of these nights. Choose other dates or another type, or move stays first.',
    shaped(UnitTypeFullDetails, { unitTypeId, nights, explanation }),
  );
