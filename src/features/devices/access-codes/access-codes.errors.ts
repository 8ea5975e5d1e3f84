import { conflict, recordNotFound, rejection, shaped } from '#errors';
import { AccessCodesDetails, CodeSlotsDetails, CodeStatusDetails } from './access-code-details.dto.js';
import type { AccessCodeStatus } from './access-code.dto.js';

export const accessCodeNotFound = recordNotFound('code', 'listAccessCodes', 'access code');
export const stayNotFound = recordNotFound('reservation', 'listReservations');

export const codesNotOffered = rejection(
  'ACCESS_CODES_NOT_OFFERED',
  'The device does not support access codes. Choose one whose capabilities include accessCodes.',
);

export const codeLengthNotTaken = rejection(
  'ACCESS_CODE_LENGTH',
  'The device does not support codes of this length. Use minCodeLength to maxCodeLength digits, from its limits.',
);

export const endMissing = rejection(
  'ACCESS_CODE_WITHOUT_END',
  'A time_bound code needs an end. Pass endsAt, or reservationId to use the times of the stay.',
);

export const endNotAllowed = rejection(
  'ACCESS_CODE_ONGOING',
  'An ongoing code is valid until it is removed. Omit endsAt and reservationId, or choose another type.',
);

export const timesBesideStay = rejection(
  'ACCESS_CODE_FOLLOWS_STAY',
  'The code has the times of its stay. Omit startsAt and endsAt, or move the stay.',
);

export const endsTooEarly = rejection(
  'ACCESS_CODE_ENDS_TOO_EARLY',
  'endsAt must be in the future and after startsAt. Set it to a later time.',
);

export const stayIsElsewhere = rejection(
  'ACCESS_CODE_ELSEWHERE',
  'The device is not at the place of the stay. Choose a device at the property and unit of the stay.',
);

export const stayIsOff = () =>
  conflict(
    'RESERVATION_NOT_LIVE',
    'The stay is cancelled or over, so it cannot have an access code. Choose another stay.',
  );

export const codeClashes = (accessCodeIds: string[]) =>
  conflict(
    'ACCESS_CODE_CLASH',
    'Another code of the device has the same digits at that time. Choose other digits.',
    shaped(AccessCodesDetails, { accessCodeIds }),
  );

export const noFreeSlot = (codeSlots: number) =>
  conflict(
    'ACCESS_CODE_SLOTS',
    `All ${codeSlots} code slots of the device are taken at that time. Remove a code, or choose other times.`,
    shaped(CodeSlotsDetails, { codeSlots }),
  );

export const codeIsOver = (status: AccessCodeStatus) =>
  conflict('ACCESS_CODE_OVER', `The code is ${status}. Create another one.`, shaped(CodeStatusDetails, { status }));

export const deviceInUse = (accessCodeIds: string[]) =>
  conflict(
    'DEVICE_IN_USE',
    'Access codes still open the device. Remove them, wait until they are removed, then archive it.',
    shaped(AccessCodesDetails, { accessCodeIds }),
  );

export const connectionHasCodes = (accessCodeIds: string[]) =>
  conflict(
    'CONNECTION_HAS_ACCESS_CODES',
    'Access codes still open devices of the connection. Remove them first, or disconnect with force and leave them in the locks.',
    shaped(AccessCodesDetails, { accessCodeIds }),
  );

export const unitHasCodes = (accessCodeIds: string[]) =>
  conflict(
    'UNIT_HAS_ACCESS_CODES',
    'Access codes still open doors of the unit. Remove them, wait until they are removed, then archive it.',
    shaped(AccessCodesDetails, { accessCodeIds }),
  );

export const propertyHasCodes = (accessCodeIds: string[]) =>
  conflict(
    'PROPERTY_HAS_ACCESS_CODES',
    'Access codes still open doors of the property. Remove them, wait until they are removed, then archive it.',
    shaped(AccessCodesDetails, { accessCodeIds }),
  );
