import { Module } from '@nestjs/common';
import { RequestLog } from './request-log.service.js';
import { RequestLogRepository } from './request-log.repository.js';
import { RequestsController } from './requests.controller.js';
import { RequestsRepository } from './requests.repository.js';
import { RequestsService } from './requests.service.js';
import { UsageRepository } from './usage.repository.js';

@Module({
  controllers: [RequestsController],
  providers: [RequestLog, RequestLogRepository, RequestsRepository, RequestsService, UsageRepository],
  exports: [RequestLog, RequestLogRepository],
})
export class RequestsModule {}
