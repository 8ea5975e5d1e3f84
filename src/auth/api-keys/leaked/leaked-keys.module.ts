import { Module } from '@nestjs/common';
import { EventsModule } from '../../../events/events.module.js';
import { MailModule } from '../../../mail/mail.module.js';
import { SlidingWindowsRepository } from '../../oauth/sliding-windows.repository.js';
import { LeakedKeysController } from './leaked-keys.controller.js';
import { LeakedKeys } from './leaked-keys.service.js';

/** A module of its own, because reports live outside /api/v1. */
@Module({
  imports: [EventsModule, MailModule],
  controllers: [LeakedKeysController],
  providers: [LeakedKeys, SlidingWindowsRepository],
})
export class LeakedKeysModule {}
