import { Module } from '@nestjs/common';
import { EventsModule } from '../../../platform/events/events.module.js';
import { RunsRepository } from './runs.repository.js';
import { WaitingRuns } from './waiting-runs.service.js';

/** Separate from the module that performs runs, for processes that perform none. */
@Module({ imports: [EventsModule], providers: [RunsRepository, WaitingRuns], exports: [RunsRepository, WaitingRuns] })
export class WaitingRunsModule {}
