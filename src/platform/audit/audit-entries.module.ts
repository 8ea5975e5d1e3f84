import { Module } from '@nestjs/common';
import { AuditEntriesController } from './audit-entries.controller.js';
import { AuditEntriesRepository } from './audit-entries.repository.js';
import { AuditEntriesService } from './audit-entries.service.js';
import { AuditSealer } from './audit-sealer.js';

/** Reading the trail, and sealing it behind the writes. */
@Module({
  controllers: [AuditEntriesController],
  providers: [AuditEntriesRepository, AuditEntriesService, AuditSealer],
  exports: [AuditSealer],
})
export class AuditEntriesModule {}
