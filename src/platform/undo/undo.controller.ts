import { Controller } from '@nestjs/common';
import type { RequestCaller } from '#access';
import { Handles } from '#operations';
import type { UndoChanges } from './undo.dto.js';
import { undoChanges } from './undo.operations.js';
import { UndoService } from './undo.service.js';

@Controller()
export class ChangesController {
  constructor(private readonly changes: UndoService) {}

  @Handles(undoChanges) undo(caller: RequestCaller, input: UndoChanges) {
    return this.changes.undo(caller, input);
  }
}
