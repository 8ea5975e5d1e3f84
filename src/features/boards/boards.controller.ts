import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { GetRoomBoard, GetTapeChart } from './boards.dto.js';
import { getDay, getRoomBoard, getTapeChart } from './boards.operations.js';
import { BoardsService } from './boards.service.js';
import type { GetDay } from './day.dto.js';

@Controller()
export class BoardsController {
  constructor(private readonly boards: BoardsService) {}

  @Handles(getRoomBoard) board(caller: Caller, input: GetRoomBoard) {
    return this.boards.board(caller, input);
  }

  @Handles(getTapeChart) tapeChart(caller: Caller, input: GetTapeChart) {
    return this.boards.tapeChart(caller, input);
  }

  @Handles(getDay) day(caller: Caller, input: GetDay) {
    return this.boards.day(caller, input);
  }
}
