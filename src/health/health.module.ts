import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { Overload } from './overload.js';
import { Readiness } from './readiness.js';

@Module({ controllers: [HealthController], providers: [Overload, Readiness], exports: [Readiness] })
export class HealthModule {}
