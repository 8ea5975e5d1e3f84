import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { MessagesModule } from '../../outside/messages/messages.module.js';
import { ModelsModule } from '../../outside/models/models.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { DefinitionChecks } from './definition-checks.service.js';
import { DefinitionWords } from './definition-words.service.js';
import { DryRuns } from './dry-runs.service.js';
import { KnownRecordsRepository } from './known-records.repository.js';
import { OperationSteps } from './runs/operation-steps.service.js';
import { RunFactsService } from './runs/run-facts.service.js';
import { RunProgress } from './runs/run-progress.service.js';
import { RunStarts } from './runs/run-starts.service.js';
import { RunSteps } from './runs/run-steps.service.js';
import { RunWorker } from './runs/run-worker.service.js';
import { WorkflowRunsController } from './runs/runs.controller.js';
import { RunsService } from './runs/runs.service.js';
import { ShownRuns } from './runs/shown-runs.service.js';
import { WaitingRunsModule } from './runs/waiting-runs.module.js';
import { WebhookSteps } from './runs/webhook-steps.service.js';
import { ScheduleWork } from './schedule-work.service.js';
import { StayFactsRepository } from './stay-facts.repository.js';
import { StepCatalogue } from './step-catalogue.js';
import { StepSecrets } from './step-secrets.service.js';
import { EventTriggers } from './triggers/event-triggers.service.js';
import { FeedsRepository } from './triggers/feeds.repository.js';
import { OccasionJudge } from './triggers/occasion-judge.service.js';
import { ScheduleTriggers } from './triggers/schedule-triggers.service.js';
import { StartedByEvents } from './triggers/started-by-events.service.js';
import { StayTriggers } from './triggers/stay-triggers.service.js';
import { TimesRepository } from './triggers/times.repository.js';
import { WorkflowCatalog } from './workflow-catalog.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsRepository } from './workflows.repository.js';
import { WorkflowsService } from './workflows.service.js';
import { WorkflowWriter } from './writing/workflow-writer.js';

@Module({
  imports: [EventsModule, MessagesModule, ModelsModule, OrganizationsModule, WaitingRunsModule],
  controllers: [WorkflowsController, WorkflowRunsController],
  providers: [
    // What workflows are
    DefinitionChecks,
    DefinitionWords,
    DryRuns,
    KnownRecordsRepository,
    ScheduleWork,
    StayFactsRepository,
    StepCatalogue,
    StepSecrets,
    WorkflowCatalog,
    WorkflowsRepository,
    WorkflowsService,
    WorkflowWriter,
    // What has them run
    EventTriggers,
    FeedsRepository,
    OccasionJudge,
    ScheduleTriggers,
    StartedByEvents,
    StayTriggers,
    TimesRepository,
    // What they do
    OperationSteps,
    RunFactsService,
    RunProgress,
    RunStarts,
    RunSteps,
    RunWorker,
    RunsService,
    ShownRuns,
    WebhookSteps,
  ],
  exports: [StepSecrets, WorkflowsService],
})
export class WorkflowsModule {}
