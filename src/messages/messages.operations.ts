import { one, operation, page } from '#operations';
import { DeletionView } from '../deletion.js';
import { ListMessages, MessageView, ThisMessage } from './message.dto.js';
import { AddSuppression, ListSuppressions, SuppressionView, ThisSuppression } from './suppression.dto.js';

export const listMessages = operation({
  name: 'listMessages',
  route: 'GET /messages',
  scope: 'messages:read',
  effect: 'read',
  reach: 'property',
  title: 'List messages',
  description: 'What was sent to guests and members, or is to be, by guest, stay, template and status; newest first.',
  input: ListMessages,
  output: page(MessageView),
});

export const getMessage = operation({
  name: 'getMessage',
  route: 'GET /messages/{messageId}',
  scope: 'messages:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a message',
  description: 'One message with what became of it; what it said is not kept.',
  input: ThisMessage,
  output: one(MessageView),
});

export const listSuppressions = operation({
  name: 'listSuppressions',
  route: 'GET /suppressions',
  scope: 'messages:read',
  effect: 'read',
  reach: 'organization',
  title: 'List suppressed addresses',
  description: 'Who gets no messages, and why. Addresses are not shown; give one to learn whether it is suppressed.',
  input: ListSuppressions,
  output: page(SuppressionView),
});

export const addSuppression = operation({
  name: 'addSuppression',
  route: 'POST /suppressions',
  scope: 'messages:write',
  effect: 'write',
  reach: 'organization',
  title: 'Suppress an address',
  description: 'Keeps messages, or marketing alone, from an address from now on, whichever guest it belongs to.',
  input: AddSuppression,
  output: one(SuppressionView),
  status: 201,
});

export const removeSuppression = operation({
  name: 'removeSuppression',
  route: 'DELETE /suppressions/{suppressionId}',
  scope: 'messages:write',
  effect: 'destructive',
  reach: 'organization',
  title: 'Stop suppressing an address',
  description: 'Lets an address get messages again. Do so only where the person asked for it.',
  input: ThisSuppression,
  output: one(DeletionView),
});
