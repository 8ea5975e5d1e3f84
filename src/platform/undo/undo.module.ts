import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { ChangesController } from './undo.controller.js';
import { UndoRepository } from './undo.repository.js';
import { UndoService } from './undo.service.js';
import { UndoingOperations } from './undoing-operations.js';
import { NewRecords } from './new-records.service.js';
import { SingleUndo } from './single-undo.service.js';

@Module({
  imports: [EventsModule],
  controllers: [ChangesController],
  providers: [UndoRepository, UndoService, UndoingOperations, NewRecords, SingleUndo],
  exports: [UndoService],
})
export class UndoModule {}
