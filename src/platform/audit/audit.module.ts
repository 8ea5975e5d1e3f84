import { Global, Module } from '@nestjs/common';
import { AuditService } from './audit.service.js';
import { AuditSealsRepository } from './audit-seals.repository.js';
import { AuditSignatures } from './audit-signatures.js';
import { AuditVerification } from './audit-verification.service.js';

/** Writing and verification, which operators' commands use too; global, so writers need no import. */
@Global()
@Module({
  providers: [AuditSealsRepository, AuditService, AuditSignatures, AuditVerification],
  exports: [AuditSealsRepository, AuditService, AuditSignatures, AuditVerification],
})
export class AuditModule {}
