import { Module } from '@nestjs/common';
import { DatabasePulse } from './database-pulse.js';
import { HealthController } from './health.controller.js';
import { Overload } from './overload.js';
import { Readiness } from './readiness.js';

@Module({
  controllers: [HealthController],
  providers: [DatabasePulse, Overload, Readiness],
  exports: [DatabasePulse, Overload, Readiness],
})
export class HealthModule {}
