import { Module } from '@nestjs/common';
import { AttachmentsModule } from '../../features/tasks/tasks.module.js';
import { WorkflowsModule } from '../../features/workflows/workflows.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { ClosingModule } from '../../tenancy/closing/closing.module.js';
import { Eraser } from './eraser.service.js';
import { ExportWork } from './export-work.js';
import { Exporter } from './exporter.service.js';
import { Importer } from './importer.service.js';
import { SealedColumns } from './sealed-columns.js';

/** Organizations that leave: exported, imported elsewhere, and erased after they were closed. */
@Module({
  imports: [AttachmentsModule, ClosingModule, EventsModule, WorkflowsModule],
  providers: [Eraser, ExportWork, Exporter, Importer, SealedColumns],
  exports: [ClosingModule, Exporter, Importer],
})
export class PortabilityModule {}
