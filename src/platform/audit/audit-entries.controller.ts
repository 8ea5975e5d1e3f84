import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import { AuditEntriesService } from './audit-entries.service.js';
import type { ExportAuditEntries, ListAuditEntries } from './audit-entry.dto.js';
import { exportAuditEntries, listAuditEntries } from './audit.operations.js';

@Controller()
export class AuditEntriesController {
  constructor(private readonly entries: AuditEntriesService) {}

  @Handles(listAuditEntries) list(caller: Caller, input: ListAuditEntries) {
    return this.entries.list(caller, input);
  }

  @Handles(exportAuditEntries) export(caller: Caller, input: ExportAuditEntries) {
    return this.entries.export(caller, input);
  }
}
