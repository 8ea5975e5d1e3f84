import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListMessages, ThisMessage } from '../../messages/message.dto.js';
import {
  addSuppression,
  getMessage,
  listMessages,
  listSuppressions,
  removeSuppression,
} from './messages.operations.js';
import { MessagesService } from './messages.service.js';
import type { AddSuppression, ListSuppressions, ThisSuppression } from '../../messages/suppression.dto.js';
import { SuppressionsService } from './suppressions.service.js';

@Controller()
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly suppressions: SuppressionsService,
  ) {}

  @Handles(listMessages) list(input: ListMessages, caller: Caller) {
    return this.messages.list(caller, input);
  }

  @Handles(getMessage) get({ messageId }: ThisMessage, caller: Caller) {
    return this.messages.get(caller, messageId);
  }

  @Handles(listSuppressions) listSuppressions(input: ListSuppressions, caller: Caller) {
    return this.suppressions.list(caller, input);
  }

  @Handles(addSuppression) addSuppression(input: AddSuppression, caller: Caller) {
    return this.suppressions.add(caller, input);
  }

  @Handles(removeSuppression) removeSuppression({ suppressionId }: ThisSuppression, caller: Caller) {
    return this.suppressions.remove(caller, suppressionId);
  }
}
