import { Module } from '@nestjs/common';
import { HealthModule } from '../../platform/health/health.module.js';
import { AddressLimits } from '../limits/address-limits.js';
import { LimitsModule } from '../limits/limits.module.js';
import { OpenRequests } from './open-requests.js';

@Module({
  imports: [HealthModule, LimitsModule],
  providers: [AddressLimits, OpenRequests],
  exports: [AddressLimits, OpenRequests],
})
export class OpenRequestsModule {}
