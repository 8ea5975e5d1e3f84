import { Module } from '@nestjs/common';
import { ClockController } from './clock.controller.js';
import { ClockService } from './clock.service.js';

/** Only in test environments. */
@Module({ controllers: [ClockController], providers: [ClockService] })
export class ClockModule {}
