import { Module } from '@nestjs/common';
import { EventsModule } from '../../../platform/events/events.module.js';
import { MailModule } from '../../../platform/mail/mail.module.js';
import { SlidingWindowsRepository } from '../../../platform/limits/sliding-windows.repository.js';
import { LeakedKeysController } from './leaked-keys.controller.js';
import { LeakedKeys } from './leaked-keys.service.js';

/** A separate module, because reports live outside /api/v1. */
@Module({
  imports: [EventsModule, MailModule],
  controllers: [LeakedKeysController],
  providers: [LeakedKeys, SlidingWindowsRepository],
})
export class LeakedKeysModule {}
