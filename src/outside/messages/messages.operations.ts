import { DeletionView, one, operation, page } from '#operations';
import { ListMessages, MessageView, ThisMessage } from './message.dto.js';
import { AddSuppression, ListSuppressions, SuppressionView, ThisSuppression } from './suppression.dto.js';
import { alreadySuppressed } from './messages.errors.js';

export const listMessages = operation({
  name: 'listMessages',
  route: 'GET /messages',
  scope: 'messages:read',
  effect: 'read',
  reach: 'property',
  title: 'List messages',
  description:
    'Lists sent and queued messages to guests and members by guest, stay, template and status, newest first.',
  askedAs: 'mails sent to a guest, did it arrive',
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
  description: 'Returns one message with its delivery status. Its content is not stored.',
  askedAs: 'was a mail delivered, did the guest get it',
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
  description:
    'Lists suppressions and their reasons. Addresses are not shown; pass one to check whether it is suppressed.',
  askedAs: 'who unsubscribed, blocked addresses',
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
  description: 'Stops all messages, or only marketing, to an email address, regardless of the guest.',
  askedAs: 'stop mailing somebody who wants no mail, do not email, newsletter opt-out',
  refuses: [alreadySuppressed],
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
  description: 'Allows messages to an address again. Do this only at the person’s request.',
  askedAs: 'resubscribe, allow mail again',
  input: ThisSuppression,
  output: one(DeletionView),
});
