import { conflict, notFound, rejection } from '#errors';
import type { AccessCodeStatus } from '../../../devices/access-codes/access-code.dto.js';

export const accessCodeNotFound = () => notFound('access code');
export const stayNotFound = () => notFound('reservation');

export const codesNotOffered = rejection(
  'ACCESS_CODES_NOT_OFFERED',
  'The device keeps no access codes. Choose one whose capabilities name accessCodes.',
);

export const codeLengthNotTaken = rejection(
  'ACCESS_CODE_LENGTH',
  'The device does not take a code of so many digits. Keep within minCodeLength and maxCodeLength of its limits.',
);

export const endMissing = rejection(
  'ACCESS_CODE_WITHOUT_END',
  'A time_bound code needs endsAt, or a reservationId whose times it takes.',
);

export const endNotAllowed = rejection(
  'ACCESS_CODE_ONGOING',
  'An ongoing code works until it is removed. Leave endsAt and reservationId out, or choose another type.',
);

export const timesBesideStay = rejection(
  'ACCESS_CODE_FOLLOWS_STAY',
  'The code has the times of its stay. Leave startsAt and endsAt out, or move the stay.',
);

export const endsTooEarly = rejection(
  'ACCESS_CODE_ENDS_TOO_EARLY',
  'The code would end before it begins, or has ended already. Set endsAt to a later time.',
);

export const stayIsElsewhere = rejection(
  'ACCESS_CODE_ELSEWHERE',
  'The stay is not at the property of the device, or in another of its units. Choose a device that is where the stay is.',
);

export const stayIsOff = () =>
  conflict('RESERVATION_NOT_LIVE', 'The stay is called off or over, so it needs no access code.');

export const codeClashes = (accessCodeIds: string[]) =>
  conflict('ACCESS_CODE_CLASH', 'The device has the same code at that time. Choose other digits.', { accessCodeIds });

export const noFreeSlot = (codeSlots: number) =>
  conflict(
    'ACCESS_CODE_SLOTS',
    `The device keeps ${codeSlots} codes, and all are taken at some time then. Remove one, or choose other times.`,
    { codeSlots },
  );

export const codeIsOver = (status: AccessCodeStatus) =>
  conflict('ACCESS_CODE_OVER', `The code is ${status}; make another one.`, { status });

export const deviceInUse = (accessCodeIds: string[]) =>
  conflict('DEVICE_IN_USE', 'Access codes still open the device. Remove them, and archive it once they are removed.', {
    accessCodeIds,
  });

export const connectionHasCodes = (accessCodeIds: string[]) =>
  conflict(
    'CONNECTION_HAS_ACCESS_CODES',
    'Access codes still open devices of the connection, and nobody could take them back. Remove them, and disconnect once they are removed; or disconnect with force, and they stay in the locks.',
    { accessCodeIds },
  );

export const unitHasCodes = (accessCodeIds: string[]) =>
  conflict(
    'UNIT_HAS_ACCESS_CODES',
    'Access codes still open doors of the unit. Remove them, and archive it once they are removed.',
    { accessCodeIds },
  );

export const propertyHasCodes = (accessCodeIds: string[]) =>
  conflict(
    'PROPERTY_HAS_ACCESS_CODES',
    'Access codes still open doors of the property. Remove them, and archive it once they are removed.',
    { accessCodeIds },
  );
