import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListMessages, ThisMessage } from './message.dto.js';
import {
  addSuppression,
  getMessage,
  listMessages,
  listSuppressions,
  removeSuppression,
} from './messages.operations.js';
import { MessagesService } from './messages.service.js';
import type { AddSuppression, ListSuppressions, ThisSuppression } from './suppression.dto.js';
import { SuppressionsService } from './suppressions.service.js';

@Controller()
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly suppressions: SuppressionsService,
  ) {}

  @Handles(listMessages) list(caller: Caller, input: ListMessages) {
    return this.messages.list(caller, input);
  }

  @Handles(getMessage) get(caller: Caller, { messageId }: ThisMessage) {
    return this.messages.get(caller, messageId);
  }

  @Handles(listSuppressions) listSuppressions(caller: Caller, input: ListSuppressions) {
    return this.suppressions.list(caller, input);
  }

  @Handles(addSuppression) addSuppression(caller: Caller, input: AddSuppression) {
    return this.suppressions.add(caller, input);
  }

  @Handles(removeSuppression) removeSuppression(caller: Caller, { suppressionId }: ThisSuppression) {
    return this.suppressions.remove(caller, suppressionId);
  }
}
