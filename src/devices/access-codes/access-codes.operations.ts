import { one, operation, page } from '#operations';
import {
  AccessCodeView,
  CreateAccessCode,
  ListAccessCodes,
  RevealedAccessCode,
  ThisAccessCode,
  UpdateAccessCode,
} from './access-code.dto.js';

export const listAccessCodes = operation({
  name: 'listAccessCodes',
  route: 'GET /access-codes',
  scope: 'access-codes:read',
  effect: 'read',
  reach: 'property',
  title: 'List access codes',
  description: 'Codes that open doors, masked, by device, property, stay and status.',
  input: ListAccessCodes,
  output: page(AccessCodeView),
});

export const createAccessCode = operation({
  name: 'createAccessCode',
  route: 'POST /access-codes',
  scope: 'access-codes:write',
  effect: 'write',
  reach: 'property',
  title: 'Create an access code',
  description:
    'Gives a device a code that opens it. Refused at once where the device has the same code then, or no place for one more.',
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
  description: 'Changes name, times or digits; the device follows. The times of a stay’s code are those of the stay.',
  input: UpdateAccessCode,
  output: one(AccessCodeView),
});

export const regenerateAccessCode = operation({
  name: 'regenerateAccessCode',
  route: 'POST /access-codes/{accessCodeId}/regenerate',
  scope: 'access-codes:write',
  effect: 'write',
  reach: 'property',
  title: 'Regenerate an access code',
  description: 'Gives a code new digits that are made up; the old ones end as soon as the device is reached.',
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
  description: 'Takes a code back; it is removing until the device is reached, and opens nothing once it is removed.',
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
  description: 'Shows the digits of a code, which open a door.',
  input: ThisAccessCode,
  output: one(RevealedAccessCode),
  showsSecret: true,
});
