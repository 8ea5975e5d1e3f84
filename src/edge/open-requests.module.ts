import { Module } from '@nestjs/common';
import { HealthModule } from '../platform/health/health.module.js';
import { AddressLimits } from './address-limits.js';
import { LimitsModule } from './limits.module.js';
import { OpenRequests } from './open-requests.js';

@Module({
  imports: [HealthModule, LimitsModule],
  providers: [AddressLimits, OpenRequests],
  exports: [AddressLimits, OpenRequests],
})
export class OpenRequestsModule {}
