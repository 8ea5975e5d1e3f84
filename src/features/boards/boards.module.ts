import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { BoardRepository } from './board.repository.js';
import { BoardsController } from './boards.controller.js';
import { BoardsService } from './boards.service.js';
import { DayRepository } from './day.repository.js';
import { TapeChartRepository } from './tape-chart.repository.js';

@Module({
  imports: [OrganizationsModule],
  controllers: [BoardsController],
  providers: [BoardRepository, BoardsService, DayRepository, TapeChartRepository],
})
export class BoardsModule {}
