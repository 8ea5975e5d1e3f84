import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { ApplicationKeys } from './application-keys.service.js';
import { PersonKeys } from './person-keys.service.js';

/** A separate module, because accounts and approvals need it, and the keys' own module depends on both. */
@Module({ imports: [EventsModule], providers: [ApplicationKeys, PersonKeys], exports: [ApplicationKeys, PersonKeys] })
export class ApplicationKeysModule {}
