import { one, operation, page, refuseBeside } from '#operations';
import {
  AccessCodeCountsView,
  AccessCodeView,
  CountAccessCodes,
  CreateAccessCode,
  ListAccessCodes,
  RevealedAccessCode,
  ThisAccessCode,
  UpdateAccessCode,
} from './access-code.dto.js';
import {
  codeClashes,
  codeIsOver,
  codeLengthNotTaken,
  codesNotOffered,
  connectionHasCodes,
  endMissing,
  endNotAllowed,
  endsTooEarly,
  noFreeSlot,
  propertyHasCodes,
  stayIsElsewhere,
  stayIsOff,
  timesBesideStay,
  unitHasCodes,
} from './access-codes.errors.js';
import { deviceIsArchived } from '../devices.errors.js';
import { propertyIsArchived, unitIsArchived } from '../../../tenancy/properties/properties.errors.js';
import { disconnectConnection } from '../../../outside/connections/connections.operations.js';
import { archiveProperty } from '../../../tenancy/properties/properties.operations.js';
import { archiveUnit } from '../../../tenancy/units/units.operations.js';

export const listAccessCodes = operation({
  name: 'listAccessCodes',
  route: 'GET /access-codes',
  scope: 'access-codes:read',
  effect: 'read',
  reach: 'property',
  title: 'List access codes',
  description: 'Lists codes that open doors, masked, by device, property, stay and status.',
  askedAs: 'which PINs are active',
  input: ListAccessCodes,
  output: page(AccessCodeView),
});

export const countAccessCodes = operation({
  name: 'countAccessCodes',
  route: 'GET /access-codes/counts',
  scope: 'access-codes:read',
  effect: 'read',
  reach: 'property',
  title: 'Count access codes',
  description: 'Counts access codes by status, up to 1,001 of each.',
  askedAs: 'how many PINs, any that failed',
  input: CountAccessCodes,
  output: one(AccessCodeCountsView),
});

export const createAccessCode = operation({
  name: 'createAccessCode',
  route: 'POST /access-codes',
  scope: 'access-codes:write',
  effect: 'write',
  reach: 'property',
  title: 'Create an access code',
  description:
    'Creates a code that opens a door. Rejected immediately if another code of the device has the same digits at that time, or all its slots are taken.',
  askedAs: 'door code or PIN for a guest, cleaner or tradesman',
  everyday: true,
  refuses: [
    codeClashes,
    codeLengthNotTaken,
    codesNotOffered,
    deviceIsArchived,
    endMissing,
    endNotAllowed,
    endsTooEarly,
    noFreeSlot,
    propertyIsArchived,
    stayIsElsewhere,
    stayIsOff,
    timesBesideStay,
    unitIsArchived,
  ],
  input: CreateAccessCode,
  output: one(AccessCodeView),
  status: 201,
});

export const updateAccessCode = operation({
  name: 'updateAccessCode',
  route: 'PATCH /access-codes/{accessCodeId}',
  scope: 'access-codes:write',
  effect: 'write',
  reach: 'property',
  title: 'Change an access code',
  description: 'Changes the name, times or digits of a code. The times of a stay’s code are those of the stay.',
  askedAs: 'extend or change when a PIN is valid',
  refuses: [codeClashes, codeIsOver, codeLengthNotTaken, endNotAllowed, endsTooEarly, noFreeSlot, timesBesideStay],
  input: UpdateAccessCode,
  // A code is removed when its time is over, and its old digits when it has new ones.
  carriesOut: ({ startsAt, endsAt, code }) => [
    ...((startsAt ?? endsAt) ? [removeAccessCode] : []),
    ...(code === undefined ? [] : [regenerateAccessCode]),
  ],
  output: one(AccessCodeView),
});

export const regenerateAccessCode = operation({
  name: 'regenerateAccessCode',
  route: 'POST /access-codes/{accessCodeId}/regenerate',
  scope: 'access-codes:write',
  effect: 'write',
  reach: 'property',
  title: 'Regenerate an access code',
  description: 'Gives a code new, generated digits. The old ones stop working when the device receives the change.',
  askedAs: 'new digits or PIN',
  refuses: [codeIsOver, noFreeSlot],
  input: ThisAccessCode,
  output: one(AccessCodeView),
});

export const removeAccessCode = operation({
  name: 'removeAccessCode',
  route: 'DELETE /access-codes/{accessCodeId}',
  scope: 'access-codes:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Remove an access code',
  description:
    'Removes a code from its device. Its status is removing until the device confirms; only a removed code opens nothing.',
  askedAs: 'revoke a PIN, must not work any more',
  input: ThisAccessCode,
  output: one(AccessCodeView),
});

export const revealAccessCode = operation({
  name: 'revealAccessCode',
  route: 'POST /access-codes/{accessCodeId}/reveal',
  scope: 'access-codes:reveal',
  effect: 'read',
  reach: 'property',
  title: 'Show an access code',
  description: 'Returns the digits of a code that opens a door.',
  askedAs: 'digits of a door code, forgotten PIN',
  input: ThisAccessCode,
  output: one(RevealedAccessCode),
  showsSecret: 'code',
});

// Access codes keep what they need.
refuseBeside(archiveUnit, [unitHasCodes]);
refuseBeside(archiveProperty, [propertyHasCodes]);
refuseBeside(disconnectConnection, [connectionHasCodes]);
