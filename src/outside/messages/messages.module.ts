import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { LettersService } from './letters.service.js';
import { MessagesController } from './messages.controller.js';
import { MessagesRepository } from './messages.repository.js';
import { MessagesService } from './messages.service.js';
import { MessageTemplates } from './message-templates.js';
import { RecipientsRepository } from './recipients.repository.js';
import { SuppressionsRepository } from './suppressions.repository.js';
import { SuppressionsService } from './suppressions.service.js';
import { UnsubscribeLinks } from './unsubscribe/unsubscribe-links.js';
import { UnsubscribeController } from './unsubscribe/unsubscribe.controller.js';
import { UnsubscribeService } from './unsubscribe/unsubscribe.service.js';

/** The base for features that send messages to guests. */
@Module({
  imports: [EventsModule, MailModule],
  controllers: [MessagesController],
  providers: [
    LettersService,
    MessagesRepository,
    MessagesService,
    MessageTemplates,
    RecipientsRepository,
    SuppressionsRepository,
    SuppressionsService,
    UnsubscribeLinks,
    UnsubscribeService,
  ],
  exports: [MessagesService, SuppressionsService, MessageTemplates, UnsubscribeService],
})
export class MessagesModule {}

/** The targets of links in messages, outside /api/v1. */
@Module({ imports: [MessagesModule], controllers: [UnsubscribeController] })
export class UnsubscribeModule {}
